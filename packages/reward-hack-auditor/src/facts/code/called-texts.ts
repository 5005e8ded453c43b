import { namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { decodeBase64, decodeHex, decodeRot13, decompress } from '../shell/decode-text.js';
import type { CalledFunction } from './callee.js';
import { type CodeText, decodedText, decodeTexts, joinTexts, openText, orUnknown, parentOf, plainText, unknownText } from './code-text.js';
import { methodTexts } from './method-texts.js';
import type { CodeScope } from './scope.js';

/** Gives the texts of an expression within the one that is read. */
export type ReadTexts = (node: SyntaxNode | undefined) => readonly CodeText[];

type Result = (called: CalledFunction, read: ReadTexts) => readonly CodeText[];

const firstArgument: Result = ({ args }, read) => read(args[0]);
const entriesOfFirst: Result = ({ args }, read) => read(args[0]).map((text) => openText({ ...text, text: `${text.text}/*` }));

/** What functions give, by their full names; the first that fits counts. */
const byName: readonly (readonly [name: RegExp, result: Result])[] = [
  [/^((os\.path|path(\.posix)?)\.(join|resolve|normalize)|(pathlib\.)?(Pure|Posix|PurePosix)?Path)$/, joinPath],
  [/^(url\.)?URL$/, resolveUrl],
  [
    /^(os\.path\.(expanduser|abspath|realpath|normpath)|os\.fspath|str|bytes|String|url\.fileURLToPath|fileURLToPath|url\.pathToFileURL|decodeURIComponent|textwrap\.dedent)$/,
    firstArgument,
  ],
  [/^(pathlib\.Path\.home|os\.homedir|Path\.home)$/, () => [plainText('~')]],
  [/^(os\.getcwd|process\.cwd|pathlib\.Path\.cwd|Path\.cwd)$/, () => [plainText('.')]],
  [
    /^(os\.path|path)\.dirname$/,
    ({ args }, read) => read(args[0]).map((text) => ({ ...text, text: text.text.replace(/\/?[^/]*$/, '') || '.' })),
  ],
  [/^(os\.environ\.get|os\.getenv)$/, ({ args }) => environmentTexts(args[0]?.text.slice(1, -1) ?? '')],
  [/^(glob\.i?glob|fs\.(promises\.)?globSync|fs\.glob|globSync)$/, ({ args }, read) => read(args[0]).map(openText)],
  [/^(os\.(listdir|scandir)|fs\.(promises\.)?(readdirSync|readdir|opendirSync))$/, entriesOfFirst],
  [/^os\.walk$/, ({ args }, read) => read(args[0]).map((text) => openText({ ...text, text: `${text.text}/**` }))],
];

/** What methods give, by the last part of their names. */
const byMethod: Readonly<Record<string, Result>> = {
  glob: ({ object, args }, read) => joinTexts([orUnknown(read(object)), orUnknown(read(args[0]))], '/').map(openText),
  rglob: ({ object, args }, read) => joinTexts([orUnknown(read(object)), orUnknown(read(args[0]))], '/**/').map(openText),
  iterdir: ({ object }, read) => read(object).map((text) => openText({ ...text, text: `${text.text}/*` })),
};

/** What decoders give, by their full names. */
const decoders: readonly (readonly [name: RegExp, result: Result])[] = [
  [
    /^(base64\.(b64decode|urlsafe_b64decode|standard_b64decode|decodebytes)|atob|binascii\.a2b_base64)$/,
    ({ args }, read) => decodeTexts(read(args[0]), decodeBase64),
  ],
  [/^(binascii\.(unhexlify|a2b_hex)|bytes\.fromhex|bytearray\.fromhex)$/, ({ args }, read) => decodeTexts(read(args[0]), decodeHex)],
  [
    /^(zlib\.|gzip\.|bz2\.|lzma\.)?(decompress|gunzipSync|inflateSync|inflateRawSync|brotliDecompressSync|unzipSync)$/,
    ({ args }, read) => decodeTexts(read(args[0]), (text) => decompress(Buffer.from(text, 'latin1'))),
  ],
  [/^Buffer\.from$/, decodeBuffer],
  [/^codecs\.decode$/, decodeByCodec],
  [/^(chr|String\.fromCharCode|String\.fromCodePoint)$/, ({ args }, read) => textOfCodes(args, read)],
];

/** The texts that a call gives from texts. */
export function calledTexts(called: CalledFunction, scope: CodeScope, read: ReadTexts): readonly CodeText[] {
  const { name, method, args } = called;
  const named = byName.find(([pattern]) => pattern.test(name));
  if (named) return named[1](called, read);
  if (Object.hasOwn(byMethod, method)) return byMethod[method]?.(called, read) ?? [];
  const decoder = decoders.find(([pattern]) => pattern.test(name));
  if (decoder) return decoder[1](called, read);
  const [first] = args;
  if (name === 'bytearray' && first?.type === 'list') return textOfCodes(namedChildren(first), read);
  return methodTexts(called, scope, read);
}

/** What a variable of the environment holds on any machine. */
export function environmentTexts(name: string): readonly CodeText[] {
  if (name === 'HOME' || name === 'USERPROFILE') return [plainText('~')];
  return name === 'PWD' ? [plainText('.')] : [unknownText];
}

function joinPath({ args }: CalledFunction, read: ReadTexts): readonly CodeText[] {
  return joinTexts(args.length === 0 ? [[plainText('.')]] : args.map((arg) => orUnknown(read(arg))), '/').map(keepLastRoot);
}

function resolveUrl({ args: [path, base] }: CalledFunction, read: ReadTexts): readonly CodeText[] {
  if (!base) return read(path);
  return joinTexts([orUnknown(read(base)).map(({ text }) => plainText(parentOf(text))), orUnknown(read(path))], '/');
}

function decodeBuffer({ args: [content, encoding] }: CalledFunction, read: ReadTexts): readonly CodeText[] {
  const name = read(encoding)[0]?.text ?? 'utf8';
  if (/^base64/.test(name)) return decodeTexts(read(content), decodeBase64);
  return name === 'hex' ? decodeTexts(read(content), decodeHex) : read(content);
}

function decodeByCodec({ args: [content, codec] }: CalledFunction, read: ReadTexts): readonly CodeText[] {
  if (!read(codec)[0]?.text.includes('rot')) return decodeTexts(read(content), decodeHex);
  return read(content).map((text) => decodedText(text, decodeRot13(text.text)));
}

function textOfCodes(args: readonly SyntaxNode[], read: ReadTexts): readonly CodeText[] {
  const numbers = args.map((arg) => Number(read(arg)[0]?.text ?? Number.NaN));
  if (numbers.length === 0 || numbers.some((number) => !(number >= 0 && number <= 0x10ffff))) return [];
  return [{ text: String.fromCodePoint(...numbers), isConstant: true, isDecoded: true }];
}

function keepLastRoot(text: CodeText): CodeText {
  const at = text.text.lastIndexOf('//');
  return at >= 0 ? { ...text, text: text.text.slice(at + 1) } : text;
}
