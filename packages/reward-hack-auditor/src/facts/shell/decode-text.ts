import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** Decoded texts are cut here: a small archive may hold an endless one. */
const longest = 1_000_000;

/** Bytes as text: UTF-8 where it is valid, else one character a byte. */
export function textOfBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('utf8');
  return text.includes('\uFFFD') ? Buffer.from(bytes).toString('latin1') : text;
}

/** `undefined` for what is no base64 (either alphabet). */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bare = text.replace(/\s+/g, '');
  if (bare.length < 4 || bare.length > longest || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(bare)) return undefined;
  return Buffer.from(bare, 'base64');
}

/** `undefined` for what is no list of hexadecimal bytes; `\x41`, `0x41` and spaces between bytes are read. */
export function decodeHex(text: string): Uint8Array | undefined {
  const bare = text.replace(/\\x|0x|[\s,:]/g, '');
  if (bare.length < 2 || bare.length > longest || bare.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(bare)) return undefined;
  return Buffer.from(bare, 'hex');
}

/** Unpacks gzip, zlib, raw deflate or brotli; `undefined` for what is none of them. */
export function decompress(bytes: Uint8Array): Uint8Array | undefined {
  for (const unpack of [gunzipSync, inflateSync, inflateRawSync, brotliDecompressSync]) {
    try {
      return unpack(bytes, { maxOutputLength: longest });
    } catch {
      // It is another format, or none.
    }
  }
  return undefined;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
  E: '\u001b',
};

/** Replaces backslash escapes as `printf`, `echo -e` and `$'…'` do; escapes of JavaScript and Python are among them. */
export function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x\{([0-9a-f]{1,6})\}|x([0-9a-f]{1,2})|u\{([0-9a-f]{1,6})\}|u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|0?([0-7]{1,3})|(\n)|(.))/gi,
    (whole, hexBraces, hex, unicodeBraces, unicode, long, octal, lineBreak, plain) => {
      const digits = hexBraces ?? hex ?? unicodeBraces ?? unicode ?? long;
      if (digits !== undefined) return codePoint(Number.parseInt(digits, 16)) ?? whole;
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      if (lineBreak !== undefined) return '';
      return escapes[plain] ?? plain;
    },
  );
}

/** The letters thirteen further on in the alphabet. */
export function decodeRot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** What `tr FROM TO` makes of a text; ranges are read, classes are not. */
export function translate(options: { text: string; from: string; to: string }): string {
  const from = expandRanges(options.from);
  const to = expandRanges(options.to);
  if (from.length === 0 || to.length === 0) return options.text;
  const table = new Map(from.map((letter, index) => [letter, to[Math.min(index, to.length - 1)] ?? letter]));
  return [...options.text].map((letter) => table.get(letter) ?? letter).join('');
}

function expandRanges(set: string): string[] {
  const letters = [...decodeEscapes(set)].slice(0, 600);
  const expanded: string[] = [];
  for (let at = 0; at < letters.length; at += 1) {
    const from = letters[at] ?? '';
    const to = letters[at + 2];
    if (letters[at + 1] !== '-' || to === undefined) {
      expanded.push(from);
      continue;
    }
    const last = Math.min(to.charCodeAt(0), from.charCodeAt(0) + 300);
    for (let code = from.charCodeAt(0); code <= last; code += 1) expanded.push(String.fromCharCode(code));
    at += 2;
  }
  return expanded;
}

function codePoint(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
