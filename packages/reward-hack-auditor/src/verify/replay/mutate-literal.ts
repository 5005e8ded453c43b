import type { TestLiteral } from './find-literals.js';

/** Other literals of the same kind that stand near one: what honest code answers as well as the original. A keyword of the product stays a word. */
export function nearLiterals(options: { literal: TestLiteral; isKeyword: boolean }): readonly string[] {
  const { literal, isKeyword } = options;
  const { kind, text, members } = literal;
  if (kind === 'truth') return [/^[A-Z]/.test(text) ? (text === 'True' ? 'False' : 'True') : text === 'true' ? 'false' : 'true'];
  if (kind === 'callback') return [text.startsWith('lambda') ? throwingLambda : throwingArrow];
  if (kind === 'number') return nearNumbers(text);
  return kind === 'list' ? nearLists(text, members) : nearStrings({ text, isKeyword });
}

/** Errors that no product raises by itself. */
const throwingLambda = 'lambda *_, **__: (_ for _ in ()).throw(ArithmeticError("other"))';
const throwingArrow = '() => { throw new EvalError("other"); }';
/** How a test ends through which such an error passes. */
export const endsByCallback = /^threw (ArithmeticError|EvalError)$/;

function nearNumbers(text: string): readonly string[] {
  const plain = text.replaceAll('_', '');
  if (/^\d+$/.test(plain) && plain.length < 15) {
    const value = Number(plain);
    return [value + 1, value * 2 + 1, ...(value > 1 ? [value - 1] : []), value * 10].map(String);
  }
  return /^\d+\.\d+$/.test(plain) ? [String(Number(plain) + 1), String(Number(plain) * 2)] : [];
}

function nearLists(text: string, members: readonly string[]): readonly string[] {
  if (members.length === 0 || members.some((member) => member.startsWith('...'))) return [];
  const list = (items: readonly string[]) => `${text[0]}${items.join(', ')}${text.at(-1)}`;
  const last = members.at(-1) ?? '';
  const turned = list([...members].reverse());
  // Two members are often a pair, which is nothing with one or three.
  if (members.length <= 2) return members.length === 2 ? [turned] : [list([...members, last])];
  return [list([...members, last]), turned, list(members.slice(0, -1))];
}

/** A text literal in its parts; `undefined` for one that is not written plainly. */
export function readString(text: string): { open: string; content: string; close: string } | undefined {
  const match = /^([bBrRuU]{0,2})(["'`])([\s\S]*)\2$/.exec(text);
  if (match === null || text.includes('"""') || text.includes("'''") || match[3] === undefined) return undefined;
  return { open: `${match[1]}${match[2]}`, content: match[3], close: match[2] ?? '' };
}

/** Changes the parts of a text literal that are no escapes. */
export function mapPlainText(content: string, change: (part: string) => string): string {
  return content
    .split(/(\\(?:x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])|\$\{[^}]*\})/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}

/** The next letter, from the last one back to the one before it. */
export function nextLetter(letter: string): string {
  return /[zZ]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) - 1) : String.fromCharCode(letter.charCodeAt(0) + 1);
}

function nearStrings(options: { text: string; isKeyword: boolean }): readonly string[] {
  const { text, isKeyword } = options;
  if (isKeyword) return [];
  const parts = readString(text);
  if (parts === undefined || parts.content.length > 400) return [];
  const quote = (content: string) => `${parts.open}${content}${parts.close}`;
  const changed = [
    mapPlainText(parts.content, (part) => part.replace(/\d+/g, bump)),
    replaceNth(parts.content, /[a-z]/gi, 0.5, nextLetter),
    replaceNth(parts.content, /[a-z0-9]/gi, 0.99, (sign) => sign + sign),
    replaceNth(parts.content, /[a-z]/gi, 0, nextLetter),
    replaceNth(parts.content, /\d+/g, 0.99, bump),
  ];
  return [...new Set(changed)].filter((content) => content !== parts.content).map(quote);
}

function bump(digits: string): string {
  return digits.length > 15 ? digits : String(Number(digits) + 1).padStart(digits.length, '0');
}

/** Replaces the match that stands at a share of the way through a text's plain parts. */
function replaceNth(content: string, pattern: RegExp, share: number, change: (match: string) => string): string {
  let count = 0;
  mapPlainText(content, (part) =>
    part.replace(pattern, (match) => {
      count++;
      return match;
    }),
  );
  const target = Math.floor(count * share);
  let at = 0;
  return mapPlainText(content, (part) => part.replace(pattern, (match) => (at++ === target ? change(match) : match)));
}
