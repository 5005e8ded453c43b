import { childOf, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { decodeBase64, decodeEscapes, decodeHex, decodeRot13, decompress, textOfBytes } from '../shell/decode-text.js';
import { type CalledFunction, readCallee } from './callee.js';
import type { CodeScope } from './scope.js';

/** A text that an expression may have. */
export interface CodeText {
  /** `*` stands for a part that is not known. */
  readonly text: string;
  readonly isConstant: boolean;
  readonly isDecoded: boolean;
}

/** An expression has at most so many texts, and is followed so deep. */
const most = 24;
const deepest = 24;

const unknown: CodeText = { text: '*', isConstant: false, isDecoded: false };

/** The texts that an expression may have; none where nothing of it is known. Bytes are texts of one character a byte. */
export function constantTexts(node: SyntaxNode | undefined, scope: CodeScope, depth = 0): readonly CodeText[] {
  scope.budget.left -= 1;
  if (!node || depth > deepest || scope.budget.left < 0) return [];
  const read = (inner: SyntaxNode | undefined) => constantTexts(inner, scope, depth + 1);
  switch (node.type) {
    case 'string':
      return scope.isPython ? pythonString(node, read) : [plain(decodeEscapes(node.text.slice(1, -1)))];
    case 'template_string':
      return joinParts(node, read, node.start + 1, node.end - 1, (text) => decodeEscapes(text));
    case 'concatenated_string':
      return product(
        namedChildren(node).map((part) => orUnknown(read(part))),
        '',
      );
    case 'parenthesized_expression':
    case 'await':
    case 'await_expression':
    case 'expression_statement':
    case 'as_expression':
    case 'non_null_expression':
      return read(namedChildren(node)[0]);
    case 'integer':
    case 'number':
      return [plain(node.text)];
    case 'binary_operator':
    case 'binary_expression': {
      const operator = childOf(node, 'operator')?.type;
      const [left, right] = [read(childOf(node, 'left')), read(childOf(node, 'right'))];
      if (left.length + right.length === 0) return [];
      if (operator === '+') return product([orUnknown(left), orUnknown(right)], '');
      if (operator === '/' && scope.isPython) return product([orUnknown(left), orUnknown(right)], '/');
      if (operator === '%' && scope.isPython) return left.map(({ text }) => ({ ...unknown, text: text.replace(/%[-\d.]*[a-z]/gi, '*') }));
      return operator === '||' || operator === '??' ? [...left, ...right] : [];
    }
    case 'conditional_expression':
    case 'ternary_expression':
      return namedChildren(node).flatMap(read).slice(0, most);
    case 'list':
    case 'tuple':
    case 'array':
    case 'set':
      return namedChildren(node).flatMap(read).slice(0, most);
    case 'subscript':
    case 'subscript_expression':
      return subscriptTexts(node, read);
    case 'attribute':
    case 'member_expression':
      return memberTexts(node, scope, read);
    case 'identifier':
      if (node.text === '__file__' || node.text === '__filename') return [plain(scope.file ?? '*')];
      if (node.text === '__dirname') return [plain(parentOf(scope.file ?? '*'))];
      return followName(node.text, scope, read);
    case 'call':
    case 'call_expression':
    case 'new_expression':
      return calledTexts(readCallee(node, scope), scope, read);
    default:
      return [];
  }
}

type Read = (node: SyntaxNode | undefined) => readonly CodeText[];

function followName(name: string, scope: CodeScope, read: Read): readonly CodeText[] {
  if (scope.following.has(name)) return [];
  const [values, items] = [scope.values.get(name), scope.items.get(name)];
  scope.following.add(name);
  const found = [...(values ?? []), ...(items ?? [])].slice(0, 6).flatMap(read).slice(0, most);
  scope.following.delete(name);
  return (values?.length ?? 0) > 1 ? found.map(open) : found;
}

function pythonString(node: SyntaxNode, read: Read): readonly CodeText[] {
  const start = node.children.find(({ type }) => type === 'string_start');
  const end = node.children.find(({ type }) => type === 'string_end');
  const isRaw = /r/i.test(start?.text.replace(/['"]/g, '') ?? '');
  return joinParts(node, read, start?.end ?? node.start, end?.start ?? node.end, (text) => (isRaw ? text : decodeEscapes(text)));
}

function joinParts(node: SyntaxNode, read: Read, from: number, to: number, decode: (text: string) => string): readonly CodeText[] {
  const parts: (readonly CodeText[])[] = [];
  let at = from;
  const text = node.text;
  for (const child of node.children) {
    if (!/^(interpolation|template_substitution)$/.test(child.type)) continue;
    parts.push([plain(decode(text.slice(at - node.start, child.start - node.start)))]);
    parts.push(orUnknown(read(namedChildren(child)[0])));
    at = child.end;
  }
  parts.push([plain(decode(text.slice(at - node.start, to - node.start)))]);
  return product(parts, '');
}

function subscriptTexts(node: SyntaxNode, read: Read): readonly CodeText[] {
  const object = childOf(node, 'value') ?? childOf(node, 'object');
  const index = childOf(node, 'subscript') ?? childOf(node, 'index');
  if (index?.text === '::-1') return read(object).map((text) => decoded(text, [...text.text].reverse().join('')));
  if (/^(os\.environ|process\.env)$/.test(object?.text ?? '')) return environment(index?.text.slice(1, -1) ?? '');
  const slice = index?.type === 'slice' ? /^(\d*):(\d*)$/.exec(index.text) : undefined;
  if (slice)
    return read(object).map((text) => decoded(text, text.text.slice(Number(slice[1] || 0), slice[2] ? Number(slice[2]) : undefined)));
  const position = /^-?\d+$/.test(index?.text ?? '') ? Number(index?.text) : undefined;
  const items = read(object);
  if (position === undefined) return items.map(open);
  return items.length < 2 ? items : items.slice(position, position === -1 ? undefined : position + 1);
}

function memberTexts(node: SyntaxNode, scope: CodeScope, read: Read): readonly CodeText[] {
  const object = childOf(node, 'object');
  const name = (childOf(node, 'attribute') ?? childOf(node, 'property'))?.text;
  if (object?.text === 'process.env') return environment(name ?? '');
  if (/^import\.meta\.(url|filename)$/.test(node.text)) return [plain(scope.file ?? '*')];
  if (node.text === 'import.meta.dirname') return [plain(parentOf(scope.file ?? '*'))];
  if (node.text === 'os.sep' || node.text === 'path.sep') return [plain('/')];
  if (name === 'parent') return read(object).map((text) => ({ ...text, text: parentOf(text.text) }));
  if (name === 'url' || name === 'pathname' || name === 'href') return read(object);
  return /^(name|stem|suffix)$/.test(name ?? '') ? [unknown] : [];
}

function environment(name: string): readonly CodeText[] {
  if (name === 'HOME' || name === 'USERPROFILE') return [plain('~')];
  return name === 'PWD' ? [plain('.')] : [unknown];
}

/** Functions that give a text from texts. */
function calledTexts(called: CalledFunction, scope: CodeScope, read: Read): readonly CodeText[] {
  const { name, method, object, args } = called;
  const [first, second] = args;
  if (/^(os\.path|path(\.posix)?)\.(join|resolve|normalize)$/.test(name) || /^(pathlib\.)?(Pure|Posix|PurePosix)?Path$/.test(name))
    return product(args.length === 0 ? [[plain('.')]] : args.map((arg) => orUnknown(read(arg))), '/').map(keepLastRoot);
  if (name === 'URL' || name === 'url.URL') {
    return second ? product([orUnknown(read(second)).map(({ text }) => plain(parentOf(text))), orUnknown(read(first))], '/') : read(first);
  }
  if (
    /^(os\.path\.(expanduser|abspath|realpath|normpath)|os\.fspath|str|bytes|String|url\.fileURLToPath|fileURLToPath|url\.pathToFileURL|decodeURIComponent|textwrap\.dedent)$/.test(
      name,
    )
  )
    return read(first);
  if (/^(pathlib\.Path\.home|os\.homedir|Path\.home)$/.test(name)) return [plain('~')];
  if (/^(os\.getcwd|process\.cwd|pathlib\.Path\.cwd|Path\.cwd)$/.test(name)) return [plain('.')];
  if (name === 'os.path.dirname' || name === 'path.dirname')
    return read(first).map((text) => ({ ...text, text: text.text.replace(/\/?[^/]*$/, '') || '.' }));
  if (/^(os\.environ\.get|os\.getenv)$/.test(name)) return environment(first?.text.slice(1, -1) ?? '');
  if (/^(glob\.i?glob|fs\.(promises\.)?globSync|fs\.glob|globSync)$/.test(name)) return read(first).map(open);
  if (/^(os\.(listdir|scandir)|fs\.(promises\.)?(readdirSync|readdir|opendirSync))$/.test(name))
    return [...read(first).map((text) => open({ ...text, text: `${text.text}/*` }))];
  if (name === 'os.walk') return read(first).map((text) => open({ ...text, text: `${text.text}/**` }));
  if (method === 'rglob' || method === 'glob')
    return product([orUnknown(read(object)), orUnknown(read(first))], method === 'glob' ? '/' : '/**/').map(open);
  if (method === 'iterdir') return read(object).map((text) => open({ ...text, text: `${text.text}/*` }));
  if (/^(base64\.(b64decode|urlsafe_b64decode|standard_b64decode|decodebytes)|atob|binascii\.a2b_base64)$/.test(name))
    return through(read(first), decodeBase64);
  if (/^(binascii\.(unhexlify|a2b_hex)|bytes\.fromhex|bytearray\.fromhex)$/.test(name)) return through(read(first), decodeHex);
  if (/^(zlib\.|gzip\.|bz2\.|lzma\.)?(decompress|gunzipSync|inflateSync|inflateRawSync|brotliDecompressSync|unzipSync)$/.test(name))
    return through(read(first), (text) => decompress(Buffer.from(text, 'latin1')));
  if (name === 'Buffer.from') {
    const encoding = read(second)[0]?.text ?? 'utf8';
    if (/^base64/.test(encoding)) return through(read(first), decodeBase64);
    return encoding === 'hex' ? through(read(first), decodeHex) : read(first);
  }
  if (name === 'codecs.decode')
    return read(second)[0]?.text.includes('rot')
      ? read(first).map((text) => decoded(text, decodeRot13(text.text)))
      : through(read(first), decodeHex);
  if (/^(chr|String\.fromCharCode|String\.fromCodePoint)$/.test(name)) return codes(args, read);
  if (/^(bytes|bytearray)$/.test(name) && first?.type === 'list') return codes(namedChildren(first), read);
  return methodTexts(called, scope, read);
}

function methodTexts({ method, object, args, name }: CalledFunction, scope: CodeScope, read: Read): readonly CodeText[] {
  const [first, second] = args;
  if (/^(read_text|read_bytes|read|readFileSync|readFile)$/.test(method)) {
    const paths = /readFile/.test(method) ? read(first) : read(object);
    return paths.flatMap(({ text, isConstant }) => {
      const known = isConstant ? scope.readFile(text) : undefined;
      return known === undefined ? [] : [plain(known)];
    });
  }
  if (name === 'open' || name === 'io.open' || name === 'fs.createReadStream') return read(first);
  if (
    /^(decode|encode|strip|lstrip|rstrip|trim|toString|resolve|absolute|expanduser|as_posix|sort|slice|splitlines|lower|toLowerCase|split)$/.test(
      method,
    )
  )
    return method === 'slice' || method === 'split' ? read(object).map(open) : read(object);
  if (/^(sorted|list|reversed|set|tuple|enumerate)$/.test(name)) return read(first);
  if (method === 'replace' || method === 'replaceAll') {
    const [from, to] = [read(first)[0], read(second)[0]];
    return from && to ? read(object).map((text) => decoded(text, text.text.split(from.text).join(to.text))) : read(object).map(open);
  }
  if (method === 'join') {
    const [list, separator] = scope.isPython ? [first, object] : [object, first];
    if (list && /^(list|tuple|array|identifier|generator_expression|list_comprehension|call|call_expression)$/.test(list.type)) {
      const items = joined(list, scope, read);
      const between = read(separator)[0]?.text ?? (scope.isPython ? '' : ',');
      return items.length === 0
        ? []
        : [{ text: items.map(({ text }) => text).join(between), isConstant: items.every(({ isConstant }) => isConstant), isDecoded: true }];
    }
    return [];
  }
  if (method === 'reverse') return read(object).map((text) => decoded(text, [...text.text].reverse().join('')));
  if (method === 'concat') return product([orUnknown(read(object)), ...args.map((arg) => orUnknown(read(arg)))], '');
  if (method === 'joinpath' || method === 'with_name')
    return product([orUnknown(read(object)), ...args.map((arg) => orUnknown(read(arg)))], '/');
  if (method === 'format') return read(object).map(({ text }) => ({ ...unknown, text: text.replace(/\{[^}]*\}/g, '*') }));
  return [];
}

/** Items of a list that is joined; of `chr(c) for c in […]` and `….map(c => String.fromCharCode(c))` the characters. */
function joined(list: SyntaxNode, scope: CodeScope, read: Read): readonly CodeText[] {
  if (/comprehension|generator/.test(list.type)) {
    const items = read(
      childOf(
        list.children.find(({ type }) => type === 'for_in_clause'),
        'right',
      ),
    );
    return /\bchr\(/.test(list.text) ? characters(items, list.text) : items;
  }
  if (list.type === 'call_expression') {
    const { method, object, args } = readCallee(list, scope);
    if (method === 'map') return /fromC/.test(args[0]?.text ?? '') ? characters(read(object), list.text) : read(object);
    if (method === 'reverse') {
      const inner = object?.type === 'call_expression' ? readCallee(object, scope) : undefined;
      if (inner?.method === 'split') return read(inner.object).map((text) => decoded(text, [...text.text].reverse().join('')));
      return [...read(object)].reverse();
    }
  }
  return read(list);
}

function characters(items: readonly CodeText[], source: string): readonly CodeText[] {
  const key = Number(/\^\s*(\d+)/.exec(source)?.[1] ?? 0);
  return items.map((item) => decoded(item, String.fromCharCode((Number(item.text) || 0) ^ key)));
}

function codes(args: readonly SyntaxNode[], read: Read): readonly CodeText[] {
  const numbers = args.map((arg) => Number(read(arg)[0]?.text ?? Number.NaN));
  if (numbers.length === 0 || numbers.some((number) => !(number >= 0 && number <= 0x10ffff))) return [];
  return [{ text: String.fromCodePoint(...numbers), isConstant: true, isDecoded: true }];
}

function through(texts: readonly CodeText[], decode: (text: string) => Uint8Array | undefined): readonly CodeText[] {
  return texts.flatMap(({ text, isConstant }) => {
    const bytes = decode(text);
    if (!bytes) return [];
    const isPacked = decompress(bytes) !== undefined;
    return [{ text: isPacked ? Buffer.from(bytes).toString('latin1') : textOfBytes(bytes), isConstant, isDecoded: true }];
  });
}

function product(parts: readonly (readonly CodeText[])[], separator: string): readonly CodeText[] {
  let open: CodeText[] = [{ text: '', isConstant: true, isDecoded: false }];
  for (const [index, part] of parts.entries()) {
    const between = index === 0 ? '' : separator;
    open = open
      .flatMap((left) =>
        part.map((right) => ({
          text: left.text + between + right.text,
          isConstant: left.isConstant && right.isConstant,
          isDecoded: left.isDecoded || right.isDecoded,
        })),
      )
      .slice(0, most);
  }
  return open.filter(({ text }) => text.length < 1_000_000);
}

/** Folder of a path; of one that is not known it is not known either. */
function parentOf(path: string): string {
  if (path === '*') return '*';
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '..';
}

function keepLastRoot(text: CodeText): CodeText {
  const at = text.text.lastIndexOf('//');
  return at >= 0 ? { ...text, text: text.text.slice(at + 1) } : text;
}

function orUnknown(texts: readonly CodeText[]): readonly CodeText[] {
  return texts.length === 0 ? [unknown] : texts;
}

function open(text: CodeText): CodeText {
  return { ...text, isConstant: false };
}

function plain(text: string): CodeText {
  return { text, isConstant: true, isDecoded: false };
}

function decoded(before: CodeText, text: string): CodeText {
  return { text, isConstant: before.isConstant, isDecoded: before.isDecoded || before.text !== text };
}
