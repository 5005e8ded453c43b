/** A word of a shell text with its quotes removed; `start` and `end` span it with its quotes. */
export interface ShellWord {
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Where `value` stands verbatim in the text, when quoting and escapes left it in one piece. */
  readonly contentStart: number | undefined;
}

/** What a shell text is made of. `nested` holds the tokens of command substitutions in a word. */
export type Token =
  | { readonly kind: 'separator' }
  | { readonly kind: 'word'; readonly word: ShellWord; readonly nested: readonly (readonly Token[])[] }
  | { readonly kind: 'redirect'; readonly operator: string; readonly target: ShellWord };

interface Cursor {
  readonly text: string;
  at: number;
  readonly end: number;
  /** Substitutions around this text. */
  readonly depth: number;
}

/** Substitutions deeper than this are kept as written: hostile text must not exhaust the stack. */
const deepest = 16;

interface PendingHeredoc {
  readonly delimiter: string;
  readonly operator: string;
  /** Position of its token. */
  readonly index: number;
}

/** Splits a shell text into words, redirections and separators. Unbalanced quotes end with the text. */
export function tokenizeShell(text: string): readonly Token[] {
  return tokenize({ text, at: 0, end: text.length, depth: 0 });
}

function tokenize(cursor: Cursor): readonly Token[] {
  const tokens: Token[] = [];
  const pending: PendingHeredoc[] = [];
  while (cursor.at < cursor.end) {
    const rest = cursor.text.slice(cursor.at, cursor.end);
    const ignored = /^(?:[ \t\r]|\\\n)+|^#[^\n]*/.exec(rest);
    if (ignored) cursor.at += ignored[0].length;
    else if (/^[\n;&|()]/.test(rest) && !/^&>/.test(rest)) {
      cursor.at += 1;
      if (rest.startsWith('\n')) for (const each of pending.splice(0)) tokens[each.index] = readHeredoc(cursor, each);
      tokens.push({ kind: 'separator' });
    } else {
      const before = cursor.at;
      tokens.push(readRedirect(cursor, rest, { pending, index: tokens.length }) ?? { kind: 'word', ...readWord(cursor) });
      if (cursor.at === before) cursor.at += 1;
    }
  }
  return tokens;
}

function readRedirect(cursor: Cursor, rest: string, heredocs: { pending: PendingHeredoc[]; index: number }): Token | undefined {
  const redirect = /^(?:\d*|&)(<<<|<<-?|>>|>\||>&|<&|<>|>|<)[ \t]*/.exec(rest);
  if (!redirect || /^[<>]\(/.test(rest)) return undefined;
  cursor.at += redirect[0].length;
  const { word } = readWord(cursor);
  const operator = redirect[1] ?? '';
  if (operator === '<<' || operator === '<<-') heredocs.pending.push({ delimiter: word.value, operator, index: heredocs.index });
  return { kind: 'redirect', operator, target: word };
}

function readHeredoc(cursor: Cursor, { delimiter, operator }: { delimiter: string; operator: string }): Token {
  const start = cursor.at;
  let end = start;
  while (cursor.at < cursor.end) {
    const newline = cursor.text.indexOf('\n', cursor.at);
    const stop = newline < 0 || newline > cursor.end ? cursor.end : newline;
    const line = cursor.text.slice(cursor.at, stop);
    cursor.at = Math.min(stop + 1, cursor.end);
    if ((operator === '<<-' ? line.replace(/^\t+/, '') : line) === delimiter) break;
    end = cursor.at;
  }
  return { kind: 'redirect', operator, target: { value: cursor.text.slice(start, end), start, end, contentStart: start } };
}

function readWord(cursor: Cursor): { word: ShellWord; nested: (readonly Token[])[] } {
  const { text, end } = cursor;
  const start = cursor.at;
  const nested: (readonly Token[])[] = [];
  let value = '';
  let isQuoted = false;
  while (cursor.at < end) {
    const character = text[cursor.at] ?? '';
    if (!isQuoted && /[\s;&|()<>]/.test(character)) break;
    if (character === '"') {
      isQuoted = !isQuoted;
      cursor.at += 1;
    } else value += readPiece(cursor, { isQuoted, nested });
  }
  cursor.at = Math.min(cursor.at, end);
  const verbatim = text.slice(start, cursor.at).indexOf(value);
  return { word: { value, start, end: cursor.at, contentStart: verbatim < 0 ? undefined : start + verbatim }, nested };
}

/** One piece of a word: a single-quoted part, an escaped character, a substitution (kept as written), or a character. */
function readPiece(cursor: Cursor, word: { isQuoted: boolean; nested: (readonly Token[])[] }): string {
  const { text, at, end } = cursor;
  const character = text[at] ?? '';
  if (character === "'" && !word.isQuoted) {
    const close = text.indexOf("'", at + 1);
    const stop = close < 0 || close >= end ? end : close;
    cursor.at = Math.min(stop + 1, end);
    return text.slice(at + 1, stop);
  }
  if (character === '\\') {
    cursor.at += 2;
    return text[at + 1] ?? '';
  }
  if (character === '`' || text.startsWith('$(', at)) {
    const close = closeSubstitution(text, at, end);
    const inner = { text, at: at + (character === '`' ? 1 : 2), end: close, depth: cursor.depth + 1 };
    if (inner.depth <= deepest) word.nested.push(tokenize(inner));
    cursor.at = close + 1;
    return text.slice(at, close + 1);
  }
  cursor.at += 1;
  return character;
}

function closeSubstitution(text: string, start: number, end: number): number {
  if (text[start] === '`') {
    const close = text.indexOf('`', start + 1);
    return close < 0 || close > end ? end : close;
  }
  let depth = 0;
  for (let at = start + 1; at < end; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === "'") {
      const close = text.indexOf("'", at + 1);
      if (close > 0 && close < end) at = close;
    } else if (text[at] === '(') depth += 1;
    else if (text[at] === ')') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return end;
}
