import type { CommentSyntax } from './comment-syntax.js';

const wordPattern = /[\p{L}\p{N}\p{M}_$]+/uy;
const textPattern = /[\p{L}\p{N}\p{M}_$]+|\S/gu;
const characterLiteral = /'(?:\\.[^'\n]{0,10}|[^\\'])'/uy;
/** A line in the middle of a block comment, as most are written. */
const commentMiddle = /^\s*\*(?:\s|$)/;
/** Words behind which a slash starts a regular expression. */
const wordsBeforeRegex = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'delete',
  'throw',
  'yield',
  'await',
  'new',
]);

interface LexerState {
  readonly syntax: CommentSyntax;
  tokens: string[];
  /** Depth of block comments, 0 in code. */
  comment: number;
  /** Delimiter that ends the string which spans lines, or `null`. */
  closer: string | null;
  hasOpened: boolean;
}

/**
 * Cuts a fragment of code into tokens, line by line: words (identifiers, keywords, numbers), single characters of
 * punctuation, and strings that end on their line, verbatim. White space and comments are gone. The time is linear
 * in the length, whatever the text.
 *
 * Covered: a fragment that begins inside a block comment whose end it holds, or whose lines begin with an asterisk.
 * Not covered: one that lies wholly inside another comment or begins inside a string over several lines; what it
 * holds then counts as code, or code as text. Text of strings that span lines (templates, docstrings) is cut into
 * words, so its white space does not count.
 */
export function codeTokens(options: { lines: readonly string[]; syntax: CommentSyntax }): string[][] {
  const state: LexerState = { syntax: options.syntax, tokens: [], comment: 0, closer: null, hasOpened: false };
  const result: string[][] = [];
  const codeStart = commentLines(options);
  for (const [index, line] of options.lines.entries()) {
    state.tokens = [];
    result.push(state.tokens);
    let at = index < codeStart ? line.length : 0;
    const failed = { regex: false };
    while (at < line.length) {
      if (state.comment > 0) at = skipComment(state, line, at);
      else if (state.closer !== null) at = readLongString(state, line, at);
      else if (startsInsideComment(state, line, at)) {
        for (const tokens of result) tokens.length = 0;
        state.hasOpened = true;
        at += 2;
      } else at = readCode(state, line, at, failed);
    }
  }
  return result;
}

/** Number of lines at the beginning that are the middle of a block comment. */
function commentLines({ lines, syntax }: { lines: readonly string[]; syntax: CommentSyntax }): number {
  if (syntax.blockComment === undefined) return 0;
  const first = lines.findIndex((line) => !commentMiddle.test(line));
  return first === -1 ? lines.length : first;
}

/** An end without a beginning: all before it was comment. Looked for until the first comment opens. */
function startsInsideComment({ syntax, hasOpened }: LexerState, line: string, at: number): boolean {
  return syntax.blockComment !== undefined && !hasOpened && line.startsWith('*/', at);
}

function skipComment(state: LexerState, line: string, at: number): number {
  const end = line.indexOf('*/', at);
  const inner = state.syntax.blockComment === 'nested' ? line.indexOf('/*', at) : -1;
  if (inner !== -1 && (end === -1 || inner < end)) {
    state.comment += 1;
    return inner + 2;
  }
  if (end === -1) return line.length;
  state.comment -= 1;
  return end + 2;
}

function readLongString(state: LexerState, line: string, from: number): number {
  const closer = state.closer as string;
  let end = from;
  while (end < line.length && !line.startsWith(closer, end)) end += line[end] === '\\' ? 2 : 1;
  pushWords(state.tokens, line.slice(from, end));
  if (end >= line.length) return line.length;
  state.tokens.push(closer);
  state.closer = null;
  return end + closer.length;
}

function readCode(state: LexerState, line: string, at: number, failed: { regex: boolean }): number {
  const { syntax, tokens } = state;
  const character = line[at] as string;
  if (/\s/.test(character)) return at + 1;
  if (matchAt(syntax.lineComment, line, at) !== null) return line.length;
  if (syntax.blockComment !== undefined && line.startsWith('/*', at)) {
    state.comment = 1;
    state.hasOpened = true;
    return at + 2;
  }
  const long = syntax.longQuotes?.find((quote) => line.startsWith(quote, at));
  if (long !== undefined) {
    state.closer = long;
    tokens.push(long);
    return at + long.length;
  }
  if (syntax.quotes?.includes(character)) return readString(tokens, line, at);
  if (character === '/' && syntax.hasRegexLiterals && !failed.regex && mayStartRegex(tokens.at(-1))) {
    const end = regexEnd(line, at);
    failed.regex = end === -1;
    if (end !== -1) return push(tokens, line.slice(at, end), at);
  }
  const literal = syntax.hasLifetimes && character === "'" ? matchAt(characterLiteral, line, at) : null;
  return push(tokens, literal ?? matchAt(wordPattern, line, at) ?? String.fromCodePoint(line.codePointAt(at) as number), at);
}

/** A string that does not end on its line makes the rest of the line text: the quote may be an apostrophe. */
function readString(tokens: string[], line: string, at: number): number {
  const quote = line[at];
  let end = at + 1;
  while (end < line.length && line[end] !== quote) end += line[end] === '\\' ? 2 : 1;
  if (end < line.length) return push(tokens, line.slice(at, end + 1), at);
  pushWords(tokens, line.slice(at));
  return line.length;
}

function mayStartRegex(previous: string | undefined): boolean {
  if (previous === undefined || wordsBeforeRegex.has(previous)) return true;
  return !/[\p{L}\p{N}_$)\]}"'`<]$/u.test(previous.slice(-2));
}

function regexEnd(line: string, at: number): number {
  let isClass = false;
  for (let index = at + 1; index < line.length; index += 1) {
    const character = line[index];
    if (character === '\\') index += 1;
    else if (character === '[') isClass = true;
    else if (character === ']') isClass = false;
    else if (character === '/' && !isClass) return index + 1;
  }
  return -1;
}

function pushWords(tokens: string[], text: string): void {
  for (const [token] of text.matchAll(textPattern)) tokens.push(token);
}

function matchAt(pattern: RegExp | undefined, line: string, at: number): string | null {
  if (pattern === undefined) return null;
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0] ?? null;
}

function push(tokens: string[], token: string, at: number): number {
  tokens.push(token);
  return at + token.length;
}
