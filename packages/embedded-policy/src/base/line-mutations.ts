import { type LinePiece, lexLine } from './lex-line.js';
import { pick } from './pick.js';

/** A line that one small bug makes of another, and the kind of that bug. */
export interface LineMutation {
  readonly text: string;
  readonly family: OperatorFamily | 'number' | 'boolean' | 'method' | 'negation' | 'arguments' | 'branches';
}

const PARTNERS = {
  equality: { '===': ['!=='], '!==': ['==='], '==': ['!='], '!=': ['=='] },
  comparison: { '<': ['<=', '>'], '<=': ['<', '>='], '>': ['>=', '<'], '>=': ['>', '<='] },
  logical: { '&&': ['||'], '||': ['&&'] },
  arithmetic: { '+': ['-'], '-': ['+'], '*': ['/', '%'], '/': ['*'], '%': ['*'] },
  bitwise: { '&': ['|', '^'], '|': ['&'], '^': ['&'], '<<': ['>>', '>>>'], '>>': ['<<'], '>>>': ['<<'] },
  update: { '++': ['--'], '--': ['++'] },
  assignment: { '+=': ['-='], '-=': ['+='], '*=': ['/='], '/=': ['*='], '&=': ['|='], '|=': ['&='] },
} as const;

type OperatorFamily = keyof typeof PARTNERS;

const OPERATORS = new Map<string, { readonly family: OperatorFamily; readonly texts: readonly string[] }>(
  Object.entries(PARTNERS).flatMap(([family, partners]) =>
    Object.entries<readonly string[]>(partners).map(([text, texts]) => [text, { family: family as OperatorFamily, texts }] as const),
  ),
);

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
const SWAPS = {
  arguments: new RegExp(String.raw`(?<=[\w$]\(|[\w$]\((?:${SIMPLE}), )(?<left>${SIMPLE})(?<between>, )(?<right>${SIMPLE})(?=[,)])`, 'g'),
  branches: new RegExp(String.raw`(?<=\? )(?<left>${SIMPLE})(?<between> : )(?<right>${SIMPLE})(?=[;,)\]}]|$)`, 'g'),
} as const;
const CONDITION = /(?<=\bif ?\(|&& |\|\| |\breturn |= )(?<not>!?)(?=[A-Za-z_$][\w$.]*(?:\([\w$., ]*\))?(?: \?| &&| \|\||\)|;))/g;

/**
 * Every line that one small bug of the usual kinds makes of `line`: another comparison, logical, arithmetic, bitwise,
 * assignment or update operator, a flipped boolean, an integer one off, a negation more or less, two neighbouring
 * arguments or the branches of `? :` exchanged, a method's mirror image. Pure text: no parser, so a few are no JavaScript.
 * Distinct, and never `line` itself. The set is closed under repair: undoing one of them is one of them.
 */
export function lineMutations(line: string): LineMutation[] {
  const results = new Map<string, LineMutation>();
  const add = (family: LineMutation['family'], { start, length, text }: { start: number; length: number; text: string }) => {
    const mutated = line.slice(0, start) + text + line.slice(start + length);
    if (mutated !== line && !results.has(mutated)) results.set(mutated, { text: mutated, family });
  };
  const pieces = lexLine(line);
  pieces.forEach((piece, index) => {
    for (const { family, text } of replacements(pieces, index)) add(family, { start: piece.start, length: piece.text.length, text });
  });
  for (const family of ['arguments', 'branches'] as const) {
    for (const { index, 0: whole, groups } of line.matchAll(SWAPS[family])) {
      add(family, { start: index, length: whole.length, text: `${groups?.right}${groups?.between}${groups?.left}` });
    }
  }
  for (const { index, groups } of line.matchAll(CONDITION)) {
    add('negation', { start: index, length: groups?.not?.length ?? 0, text: groups?.not === '!' ? '' : '!' });
  }
  return [...results.values()];
}

/** Draws a mutation of a line: its family uniformly among those that fit the line, then one of it. Throws where none fits. */
export function pickMutation(line: string, random: () => number): string {
  const families = groupByFamily(lineMutations(line));
  if (families.length === 0) throw new RangeError(`expected a line that a mutation fits, got ${JSON.stringify(line)}`);
  return pick(pick(families, random), random).text;
}

function groupByFamily(mutations: readonly LineMutation[]): LineMutation[][] {
  const groups = new Map<string, LineMutation[]>();
  for (const mutation of mutations) groups.set(mutation.family, [...(groups.get(mutation.family) ?? []), mutation]);
  return [...groups.values()];
}

function replacements(pieces: readonly LinePiece[], index: number): readonly LineMutation[] {
  const piece = pieces[index]!;
  const as = (family: LineMutation['family'], ...texts: readonly string[]) => texts.map((text) => ({ family, text }));
  if (piece.kind === 'operator') {
    const operator = isOperand(pieces, index) ? OPERATORS.get(piece.text) : undefined;
    return operator === undefined ? [] : as(operator.family, ...operator.texts);
  }
  if (piece.kind === 'number' && /^(?:0|[1-9]\d{0,8})$/.test(piece.text)) {
    const value = Number(piece.text);
    return value === 0 ? as('number', '1') : as('number', String(value + 1), String(value - 1));
  }
  const other = piece.kind === 'word' ? NAMES.get(piece.text) : undefined;
  if (other === undefined) return [];
  if (piece.text === 'true' || piece.text === 'false') return as('boolean', other);
  return pieces[index - 1]?.text === '.' ? as('method', other) : [];
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
