/** Line breaks, also as JSON text writes them, with the number that Read puts before a line. */
const lineBreaks = /(?:\r?\n|\\r|\\n)(?:\d{1,16}\. )?/g;

/** A text without its line breaks. */
export function withoutLineBreaks(text: string): string {
  return text.replace(lineBreaks, '');
}

/**
 * Every spelling of a known value: plain, inside JSON text, percent-encoded in the usual forms, hexadecimal, and base64 and base64url at
 * each of the three positions that it can have in a longer text.
 */
export function secretSpellings(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  const hexadecimal = bytes.toString('hex');
  const inBase64 = [0, 1, 2].flatMap((offset) => [base64At(bytes, offset, 'base64'), base64At(bytes, offset, 'base64url')]);
  const texts = [value, ...inJson(value), ...inPercent(bytes)];
  return [...new Set([...texts, hexadecimal, hexadecimal.toUpperCase(), ...inBase64])];
}

/** As JavaScript writes it, and in ASCII alone, as Python does, with hexadecimal digits of either case. */
function inJson(value: string): string[] {
  const text = JSON.stringify(value).slice(1, -1);
  const unit = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');
  const beyondAscii = /[^\x20-\x7e]/g;
  return [
    text,
    text.replace(beyondAscii, (character) => `\\u${unit(character)}`),
    text.replace(beyondAscii, (character) => `\\u${unit(character).toUpperCase()}`),
  ];
}

/** What stays as it is, and what a space becomes: encodeURIComponent, Python's quote, quote with safe='', quote_plus, URLSearchParams. */
const percentForms = [
  { plain: /[\w.!~*'()-]/, space: '%20' },
  { plain: /[\w.~/-]/, space: '%20' },
  { plain: /[\w.~-]/, space: '%20' },
  { plain: /[\w.~-]/, space: '+' },
  { plain: /[\w.*-]/, space: '+' },
] as const;

/** Every form with hexadecimal digits of either case. A lone surrogate has the bytes of U+FFFD. */
function inPercent(bytes: Buffer): string[] {
  const characters = Array.from(bytes.toString('latin1'));
  return percentForms.flatMap(({ plain, space }) => {
    const encode = (digits: (text: string) => string) =>
      characters
        .map((character) => {
          if (character === ' ') return space;
          return plain.test(character) ? character : `%${digits(character.charCodeAt(0).toString(16).padStart(2, '0'))}`;
        })
        .join('');
    return [encode((text) => text), encode((text) => text.toUpperCase())];
  });
}

/** Finds spellings in a text, as it is and with both freed of line breaks: encoders and tools break long lines. */
export function spellingFinder(text: string): (spelling: string) => readonly { start: number; end: number }[] {
  const joined = joinLines(text);
  return (spelling) => {
    const found = positions(text, spelling).map((start) => ({ start, end: start + spelling.length }));
    if (joined === undefined) return found;
    const unbroken = withoutLineBreaks(spelling);
    const over = positions(joined.text, unbroken).map((start) => ({
      start: joined.origin[start]!,
      end: joined.origin[start + unbroken.length - 1]! + 1,
    }));
    return [...found, ...over];
  };
}

/** Base64 of a value that begins at byte `offset` of a group: characters that also hold neighbouring bits are left out. */
function base64At(bytes: Buffer, offset: number, encoding: 'base64' | 'base64url'): string {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
  return shifted.toString(encoding).slice(offset === 0 ? 0 : offset + 1, Math.floor((shifted.length * 8) / 6));
}

function positions(text: string, search: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) found.push(at);
  return found;
}

/** A text without its line breaks, and where each of its characters stood; nothing where it has none. */
function joinLines(text: string): { text: string; origin: Uint32Array } | undefined {
  const origin = new Uint32Array(text.length);
  let length = 0;
  let at = 0;
  const keepUntil = (end: number) => {
    for (; at < end; at += 1) origin[length++] = at;
  };
  for (const match of text.matchAll(lineBreaks)) {
    keepUntil(match.index);
    at = match.index + match[0].length;
  }
  if (at === 0) return undefined;
  keepUntil(text.length);
  return { text: withoutLineBreaks(text), origin };
}
