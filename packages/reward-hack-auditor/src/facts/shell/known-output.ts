import { decodeBase64, decodeEscapes, decodeHex, decodeRot13, decompress, textOfBytes, translate } from './decode-text.js';
import type { KnownText, ShellWord } from './shell-command.js';

interface Asked {
  readonly name: string;
  readonly words: readonly ShellWord[];
  readonly stdin: KnownText | undefined;
  /** Text of a file that a word names. */
  readFile(word: ShellWord): KnownText | undefined;
}

const printers: Readonly<Record<string, (asked: Asked) => KnownText | undefined>> = {
  echo: ({ words }) => {
    const flags = /^-[neE]+$/.test(words[0]?.value ?? '') ? (words[0]?.value ?? '') : '';
    const text = `${words
      .slice(flags === '' ? 0 : 1)
      .map(({ value }) => value)
      .join(' ')}${flags.includes('n') ? '' : '\n'}`;
    const [only] = words;
    const contentStart = words.length === 1 ? only?.contentStart : undefined;
    return flags.includes('e')
      ? { text: decodeEscapes(text), isConstant: areConstant(words), isDecoded: /\\x|\\0|\\u/.test(text) }
      : { text, isConstant: areConstant(words), isDecoded: false, contentStart };
  },
  printf: ({ words }) => printFormat(words),
  cat: readInput,
  tac: readInput,
  sort: readInput,
  uniq: readInput,
  head: readInput,
  tail: readInput,
  zcat: (asked) => unpack(asked),
  gzcat: (asked) => unpack(asked),
  gunzip: (asked) => unpack(asked),
  gzip: (asked) => (has(asked, /^-\w*d|^--decompress/) ? unpack(asked) : undefined),
  base64: (asked) => (has(asked, /^-\w*[dD]|^--decode/) ? bytesOf(readInput(asked), decodeBase64) : undefined),
  basenc: (asked) => (has(asked, /^-\w*d|^--decode/) ? bytesOf(readInput(asked), has(asked, /16/) ? decodeHex : decodeBase64) : undefined),
  openssl: (asked) => (has(asked, /^-d$/) ? bytesOf(asked.stdin, decodeBase64) : undefined),
  xxd: (asked) => (has(asked, /^-\w*r/) ? bytesOf(readInput(asked), decodeHex) : undefined),
  rev: (asked) => {
    const input = readInput(asked);
    return (
      input &&
      decoded(
        input,
        input.text
          .split('\n')
          .map((line) => [...line].reverse().join(''))
          .join('\n'),
      )
    );
  },
  rot13: (asked) => {
    const input = readInput(asked);
    return input && decoded(input, decodeRot13(input.text));
  },
  tr: ({ words, stdin }) => {
    const options = words
      .filter(({ value }) => /^-\w+$/.test(value))
      .map(({ value }) => value)
      .join('');
    const [from = '', to = ''] = words.filter(({ value }) => !/^-\w+$/.test(value)).map(({ value }) => value);
    if (!stdin) return undefined;
    if (!options.includes('d')) return decoded(stdin, translate({ text: stdin.text, from, to }));
    const dropped = new Set(decodeEscapes(from));
    return decoded(stdin, [...stdin.text].filter((letter) => !dropped.has(letter)).join(''));
  },
  sed: (asked) => {
    const input = readInput({ ...asked, words: asked.words.slice(1) }) ?? asked.stdin;
    const rule = /^s([/|#,])((?:(?!\1)[^\\]|\\.){1,200})\1((?:(?!\1)[^\\]|\\.){0,200})\1g?$/.exec(asked.words[0]?.value ?? '');
    if (!input) return undefined;
    if (!rule || /[*.[\]^$+?]/.test((rule[2] ?? '').replace(/\\./g, ''))) return { ...input, isConstant: false };
    return decoded(input, input.text.split((rule[2] ?? '').replace(/\\(.)/g, '$1')).join((rule[3] ?? '').replace(/\\(.)/g, '$1')));
  },
  find: ({ words }) => ({ text: findPattern(words), isConstant: false, isDecoded: false }),
  ls: ({ words }) => {
    const folders = words.filter(({ value }) => !value.startsWith('-'));
    if (folders.length === 0) return undefined;
    return {
      text: folders.map(({ value }) => (/[*?]/.test(value) ? value : `${value}/*`)).join('\n'),
      isConstant: false,
      isDecoded: false,
    };
  },
  seq: () => undefined,
  dirname: ({ words }) => change(words, (path) => path.replace(/\/[^/]*$/, '') || '/'),
  basename: ({ words }) => change(words.slice(0, 1), (path) => path.slice(path.lastIndexOf('/') + 1)),
  realpath: ({ words }) => change(words, (path) => path),
  readlink: ({ words }) => change(words, (path) => path),
};

/** What a common command prints, where that follows from its text; `undefined` where it does not. */
export function knownOutput(asked: Asked): KnownText | undefined {
  const printer = Object.hasOwn(printers, asked.name) ? printers[asked.name] : undefined;
  return printer?.(asked);
}

/** The files that a `find` may give: its folders, anything below them, the names it asks for. */
export function findPattern(words: readonly ShellWord[]): string {
  const first = words.findIndex(({ value }) => /^[-!(]/.test(value));
  const roots = words.slice(0, first < 0 ? words.length : first).map(({ value }) => value);
  const names = words.flatMap(({ value }, at) =>
    /^-(i?name|i?path|i?wholename)$/.test(value) && words[at - 1]?.value !== '-not' && words[at - 1]?.value !== '!'
      ? [words[at + 1]?.value ?? '*']
      : [],
  );
  const ends = names.length === 0 ? ['*'] : names;
  return (roots.length === 0 ? ['.'] : roots)
    .flatMap((root) => ends.map((end) => `${root.replace(/\/$/, '')}/**/${end.replace(/^\/+/, '')}`))
    .join('\n');
}

function printFormat(words: readonly ShellWord[]): KnownText | undefined {
  const [first, ...rest] = words[0]?.value === '--' ? words.slice(1) : words;
  if (!first || first.value === '-v') return undefined;
  let values = rest.map(({ value }) => value);
  let text = '';
  for (let rounds = 0; rounds < 200; rounds += 1) {
    const before = values.length;
    text += decodeEscapes(
      first.value.replace(/%(%|[-0-9.#+ ]*[a-zA-Z])/g, (_, directive: string) => {
        if (directive === '%') return '%';
        const value = values[0] ?? '';
        values = values.slice(1);
        if (directive.endsWith('b')) return decodeEscapes(value).replace(/\\/g, '\\\\');
        return directive.endsWith('x') ? Number(value).toString(16) : value.replace(/\\/g, '\\\\');
      }),
    );
    if (values.length === 0 || values.length === before) break;
  }
  return { text, isConstant: areConstant(words), isDecoded: words.some(({ value }) => /\\x[0-9a-f]|\\[0-7]{2}|\\u/i.test(value)) };
}

function readInput({ words, stdin, readFile }: Asked): KnownText | undefined {
  const files = words.filter(({ value }) => !/^-./.test(value) && !/^\+?\d+$/.test(value) && value !== '-');
  if (files.length === 0) return stdin;
  const texts = files.map((word) => readFile(word));
  const known = texts.filter((text) => text !== undefined);
  if (known.length < texts.length) return undefined;
  return {
    text: known.map(({ text }) => text).join(''),
    isConstant: known.every(({ isConstant }) => isConstant),
    isDecoded: known.some(({ isDecoded }) => isDecoded),
  };
}

function unpack(asked: Asked): KnownText | undefined {
  return bytesOf(readInput(asked), (text) => decompress(Buffer.from(text, 'latin1')) ?? decompress(Buffer.from(text, 'utf8')));
}

function bytesOf(input: KnownText | undefined, decode: (text: string) => Uint8Array | undefined): KnownText | undefined {
  const bytes = input && decode(input.text);
  if (!input || !bytes) return undefined;
  // Packed bytes stay bytes, for the next command of a pipeline to unpack.
  const isPacked = decompress(bytes) !== undefined;
  return { text: isPacked ? Buffer.from(bytes).toString('latin1') : textOfBytes(bytes), isConstant: input.isConstant, isDecoded: true };
}

function decoded(input: KnownText, text: string): KnownText {
  return { text, isConstant: input.isConstant, isDecoded: input.isDecoded || text !== input.text };
}

function change(words: readonly ShellWord[], by: (path: string) => string): KnownText | undefined {
  const paths = words.filter(({ value }) => !value.startsWith('-'));
  if (paths.length === 0) return undefined;
  return { text: paths.map(({ value }) => by(value)).join('\n'), isConstant: areConstant(paths), isDecoded: false };
}

function has({ words }: Asked, option: RegExp): boolean {
  return words.some(({ value }) => option.test(value));
}

function areConstant(words: readonly ShellWord[]): boolean {
  return words.every(({ isConstant }) => isConstant);
}
