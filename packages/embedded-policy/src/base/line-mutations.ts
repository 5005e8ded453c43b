import { type LinePiece, lexLine } from './lex-line.js';

const PARTNERS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>', '>='],
  '<=': ['<', '>', '>='],
  '>': ['>=', '<', '<='],
  '>=': ['>', '<', '<='],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/', '%'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|', '^'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>', '>>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '++': ['--'],
  '--': ['++'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '&=': ['|='],
  '|=': ['&='],
};

const METHODS = [
  ['indexOf', 'lastIndexOf'],
  ['shift', 'pop'],
  ['push', 'unshift'],
  ['min', 'max'],
  ['floor', 'ceil'],
  ['some', 'every'],
  ['startsWith', 'endsWith'],
  ['toLowerCase', 'toUpperCase'],
  ['trimStart', 'trimEnd'],
  ['padStart', 'padEnd'],
] as const;

const NAMES = new Map<string, string>([
  ['true', 'false'],
  ['false', 'true'],
  ...METHODS.flatMap(
    ([one, other]) =>
      [
        [one, other],
        [other, one],
      ] as [string, string][],
  ),
]);

const SIMPLE = String.raw`[\w$.]+(?:\[[\w$.]+\])?|'[^'\\]*'|"[^"\\]*"`;
const SWAPS = [
  new RegExp(String.raw`(?<=[\w$]\(|[\w$]\((?:${SIMPLE}), )(?<left>${SIMPLE})(?<between>, )(?<right>${SIMPLE})(?=[,)])`, 'g'),
  new RegExp(String.raw`(?<=\? )(?<left>${SIMPLE})(?<between> : )(?<right>${SIMPLE})(?=[;,)\]}]|$)`, 'g'),
];
const CONDITION = /(?<=\bif ?\(|&& |\|\| |\breturn |= )(?<not>!?)(?=[A-Za-z_$][\w$.]*(?:\([\w$., ]*\))?(?: \?| &&| \|\||\)|;))/g;

/**
 * Every line that one small bug of the usual kinds makes of `line`: another comparison, logical, arithmetic, bitwise,
 * assignment or update operator, a flipped boolean, an integer one off, a negation more or less, two neighbouring
 * arguments or the branches of `? :` exchanged, a method's mirror image. Pure text: no parser, so a few are no JavaScript.
 * Distinct, and never `line` itself. The set is closed under repair: undoing one of them is one of them.
 */
export function lineMutations(line: string): string[] {
  const results = new Set<string>();
  const pieces = lexLine(line);
  pieces.forEach((piece, index) => {
    for (const text of replacements(pieces, index)) results.add(replaceAt(line, { start: piece.start, length: piece.text.length, text }));
  });
  for (const pattern of SWAPS) {
    for (const { index, 0: whole, groups } of line.matchAll(pattern)) {
      results.add(replaceAt(line, { start: index, length: whole.length, text: `${groups?.right}${groups?.between}${groups?.left}` }));
    }
  }
  for (const { index, groups } of line.matchAll(CONDITION)) {
    results.add(replaceAt(line, { start: index, length: groups?.not?.length ?? 0, text: groups?.not === '!' ? '' : '!' }));
  }
  results.delete(line);
  return [...results];
}

function replacements(pieces: readonly LinePiece[], index: number): readonly string[] {
  const piece = pieces[index]!;
  if (piece.kind === 'operator') return isOperand(pieces, index) ? (PARTNERS[piece.text] ?? []) : [];
  if (piece.kind === 'number' && /^(?:0|[1-9]\d{0,8})$/.test(piece.text)) {
    const value = Number(piece.text);
    return value === 0 ? ['1'] : [String(value + 1), String(value - 1)];
  }
  const other = piece.kind === 'word' ? NAMES.get(piece.text) : undefined;
  const isMethod = other !== undefined && piece.text !== 'true' && piece.text !== 'false';
  if (other === undefined || (isMethod && pieces[index - 1]?.text !== '.')) return [];
  return [other];
}

/** Leaves a sign, a text being joined and a regular expression's slash alone. */
function isOperand(pieces: readonly LinePiece[], index: number): boolean {
  const { text } = pieces[index]!;
  if (text === '++' || text === '--') return true;
  const before = pieces[index - 1];
  const after = pieces[index + 1];
  const isSpaced = before?.kind === 'space' && after?.kind === 'space';
  const isTight = endsOperand(before) && startsOperand(after);
  if (!isSpaced && !isTight) return false;
  return (
    !(text === '+' || text === '-' || text === '+=' || text === '-=') ||
    (pieces[index - 2]?.kind !== 'string' && pieces[index + 2]?.kind !== 'string')
  );
}

function endsOperand(piece: LinePiece | undefined): boolean {
  return piece?.kind === 'word' || piece?.kind === 'number' || piece?.text === ')' || piece?.text === ']';
}

function startsOperand(piece: LinePiece | undefined): boolean {
  return piece?.kind === 'word' || piece?.kind === 'number' || piece?.text === '(';
}

function replaceAt(line: string, { start, length, text }: { start: number; length: number; text: string }): string {
  return line.slice(0, start) + text + line.slice(start + length);
}
