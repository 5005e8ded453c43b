/**
 * A pattern for every spelling of a known value: plain, inside JSON text, percent-encoded, hexadecimal, and base64 and
 * base64url at each of the three positions that it can have in a longer text, also broken over lines. A line break in
 * the value may carry the line number that Read puts before a line.
 */
export function secretSpellings(value: string): RegExp {
  const bytes = Buffer.from(value, 'utf8');
  const texts = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].map(literal);
  const encoded = [bytes.toString('hex'), ...base64Forms(bytes)].map(wrapped);
  const spellings = [...new Set([...texts, ...encoded, wrapped(bytes.toString('hex').toUpperCase())])];
  return new RegExp(spellings.sort((left, right) => right.length - left.length).join('|'), 'g');
}

/** Base64 of a value that begins at byte 0, 1 or 2 of a group: characters that also hold neighbouring bits are left out. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const start = offset === 0 ? 0 : offset + 1;
    const end = Math.floor((shifted.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((encoding) => shifted.toString(encoding).slice(start, end));
  });
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\r?\n/g, '\\r?\\n(?:\\d+\\. )?');
}

function wrapped(text: string): string {
  return Array.from(text, (character) => character.replace(/[+]/g, '\\$&')).join('(?:\\r?\\n|\\\\n)?');
}
