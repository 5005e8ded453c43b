import { parseSource } from '../../parse/load-parsers.js';
import { childOf, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { longestSource } from '../code-source.js';
import { resolvePath } from '../paths.js';
import { type CalledFunction, readCallee } from './callee.js';
import { type CodeText, constantTexts } from './constant-texts.js';
import { type CodeScope, readScope } from './scope.js';

/** What a program does to its surroundings, one call at a time. Texts hold `*` for what is not known. */
export type CodeAction = {
  /** Offsets in the program. */
  readonly start: number;
  readonly end: number;
} & (
  | { readonly kind: 'read' | 'search' | 'delete' | 'mention'; readonly paths: readonly string[] }
  | { readonly kind: 'write'; readonly paths: readonly string[]; readonly text: string | undefined; readonly isAppend: boolean }
  | { readonly kind: 'copy' | 'move' | 'link'; readonly from: readonly string[]; readonly to: readonly string[] }
  | { readonly kind: 'mode'; readonly paths: readonly string[] }
  | { readonly kind: 'shell'; readonly texts: readonly CodeText[] }
  | { readonly kind: 'argv'; readonly words: readonly CodeText[] }
  | { readonly kind: 'evaluate'; readonly texts: readonly CodeText[] }
  | { readonly kind: 'network'; readonly targets: readonly string[] }
  | { readonly kind: 'environment'; readonly name: string; readonly value: string | undefined }
  | { readonly kind: 'print'; readonly texts: readonly CodeText[] }
);

type Action = CodeAction extends infer Each ? (Each extends CodeAction ? Omit<Each, 'start' | 'end'> : never) : never;

/** Reads a Python, JavaScript or TypeScript program. */
export function codeActions(options: {
  language: 'python' | 'javascript' | 'typescript';
  text: string;
  /** Path of the file that holds it, from which relative imports are resolved. */
  file?: string | undefined;
  readFile(path: string): string | undefined;
}): CodeAction[] {
  const { language, readFile } = options;
  const tree = parseSource({ language, text: options.text.slice(0, longestSource.code) });
  const isPython = language === 'python';
  const scope = readScope({ tree, isPython, file: options.file, readFile });
  const actions: CodeAction[] = [];
  for (const node of nodesOf(
    tree,
    'call',
    'call_expression',
    'new_expression',
    'assignment',
    'assignment_expression',
    'import_statement',
  )) {
    const { start, end } = node;
    for (const action of actionsOf(node, scope)) actions.push({ ...action, start, end } as CodeAction);
  }
  return actions;
}

function actionsOf(node: SyntaxNode, scope: CodeScope): Action[] {
  if (node.type === 'import_statement') {
    const source = childOf(node, 'source')?.text.slice(1, -1);
    return source && /^[./]/.test(source) ? [{ kind: 'read', paths: [besideFile(source, scope)] }] : [];
  }
  if (node.type.startsWith('assignment')) {
    const target = childOf(node, 'left')?.text ?? '';
    const name = /^(?:os\.environ|process\.env)(?:\.(\w+)|\[['"](\w+)['"]\])$/.exec(target);
    const value = constantTexts(childOf(node, 'right'), scope)[0]?.text;
    return name ? [{ kind: 'environment', name: name[1] ?? name[2] ?? '', value }] : [];
  }
  const called = readCallee(node, scope);
  const { name, method, args, object } = called;
  const texts = (argument: SyntaxNode | undefined) => constantTexts(argument, scope);
  const paths = (argument: SyntaxNode | undefined) =>
    texts(argument)
      .map(({ text }) => text)
      .filter((text) => text !== '*' && text.length < 4000);
  for (const read of [fileActions, movingActions, runningActions, networkActions]) {
    const found = read(called, scope, paths, texts);
    if (found.length > 0) return found;
  }
  if (/^(print|console\.(log|info|error|table)|sys\.stdout\.write|process\.stdout\.write)$/.test(name)) {
    const printed = texts(args[0]);
    return printed.length > 0 ? [{ kind: 'print', texts: printed }] : [];
  }
  if (name === 'os.putenv' || name === 'os.environ.setdefault') {
    return [{ kind: 'environment', name: texts(args[0])[0]?.text ?? '*', value: texts(args[1])[0]?.text }];
  }
  if (method === 'environ.update') return [{ kind: 'environment', name: '*', value: undefined }];
  const mentioned = [...args, object].flatMap((argument) => (argument && /string/.test(argument.type) ? paths(argument) : []));
  const rooted = mentioned.filter((path) => /^(\/|~\/|\.git\b|\.\.\/)/.test(path) && !/\s/.test(path));
  return rooted.length > 0 ? [{ kind: 'mention', paths: rooted.map((path) => besideFile(path, scope)) }] : [];
}

/** A relative import starts at the file that it stands in. */
function besideFile(path: string, { file }: CodeScope): string {
  return file !== undefined && path.startsWith('.') ? resolvePath({ path, cwd: file.replace(/\/[^/]*$/, '') }) : path;
}

type ReadPaths = (argument: SyntaxNode | undefined) => string[];
type ReadTexts = (argument: SyntaxNode | undefined) => readonly CodeText[];

function fileActions(called: CalledFunction, scope: CodeScope, paths: ReadPaths, texts: ReadTexts): Action[] {
  const { name, method, args, object, keywords, node } = called;
  const [first, second] = args;
  if (
    /^(open|io\.open|codecs\.open|gzip\.open|bz2\.open|lzma\.open|os\.open|fs\.openSync|fs\.open|fs\.promises\.open|os\.fdopen)$/.test(
      name,
    ) ||
    (method === 'open' && object && scope.isPython)
  ) {
    const isMethod = method === 'open' && !/^(io|codecs|gzip|bz2|lzma|os|fs|fs\.promises)$/.test(name.slice(0, -5)) && name !== 'open';
    const target = isMethod ? paths(object) : paths(first ?? keywords.get('file'));
    const flags =
      texts(isMethod ? first : (second ?? keywords.get('mode')))[0]?.text ?? (/O_(WRONLY|RDWR|CREAT)/.test(second?.text ?? '') ? 'w' : 'r');
    const mode = keywords.has('mode') ? (texts(keywords.get('mode'))[0]?.text ?? flags) : flags;
    if (/[wax+]/.test(mode)) return [{ kind: 'write', paths: target, text: writtenText(called, texts), isAppend: mode.includes('a') }];
    return target.length > 0 ? [{ kind: 'read', paths: target }] : [];
  }
  if (/^(write_text|write_bytes)$/.test(method)) {
    const text = texts(first ?? keywords.get('data'))[0];
    return [{ kind: 'write', paths: paths(object), text: text?.isConstant ? text.text : undefined, isAppend: false }];
  }
  if (/^(read_text|read_bytes)$/.test(method)) return [{ kind: 'read', paths: paths(object) }];
  if (
    /^(fs\.)?(promises\.)?(writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream)$/.test(name) ||
    /^Bun\.write$/.test(name)
  ) {
    const text = texts(second)[0];
    const flag = /flags?:\s*['"]a/.test(node.text);
    return [{ kind: 'write', paths: paths(first), text: text?.isConstant ? text.text : undefined, isAppend: /append/.test(name) || flag }];
  }
  if (/^(fs\.)?(promises\.)?(readFileSync|readFile|createReadStream|readlinkSync|readlink)$/.test(name) || name === 'Bun.file')
    return [{ kind: 'read', paths: paths(first) }];
  if (
    /^(import|require|importlib\.import_module|runpy\.run_path|linecache\.getlines?|sqlite3\.connect|zipfile\.ZipFile|tarfile\.open|numpy\.load|np\.load|pandas\.read_\w+|pd\.read_\w+|fileinput\.input|os\.readlink|mmap\.mmap|shelve\.open|dbm\.open|module\.createRequire)$/.test(
      name,
    )
  ) {
    const found = paths(first)
      .filter((path) => /[/~.]/.test(path))
      .map((path) => (/^(import|require)$/.test(name) ? besideFile(path, scope) : path));
    return found.length > 0 ? [{ kind: 'read', paths: found }] : [];
  }
  if (/spec_from_file_location$|SourceFileLoader$|SourcelessFileLoader$/.test(name)) return [{ kind: 'read', paths: paths(second) }];
  if (
    /^(glob\.i?glob|os\.(walk|listdir|scandir|fwalk)|(fs\.)?(promises\.)?(readdirSync|readdir|opendirSync|opendir|globSync|glob))$/.test(
      name,
    )
  ) {
    const roots = paths(first ?? keywords.get('path'));
    return [{ kind: 'search', paths: roots.length > 0 ? roots : ['.'] }];
  }
  if (/^(rglob|glob|iterdir)$/.test(method) && object && scope.isPython)
    return [{ kind: 'search', paths: texts(node).map(({ text }) => text) }];
  if (/^(os\.path\.(exists|isfile|isdir|getsize|getmtime)|os\.stat|(fs\.)?(existsSync|statSync|lstatSync|accessSync))$/.test(name))
    return [{ kind: 'search', paths: paths(first) }];
  if (/^(exists|is_file|is_dir|stat)$/.test(method) && object && scope.isPython && paths(object).length > 0)
    return [{ kind: 'search', paths: paths(object) }];
  if (
    /^(os\.(remove|unlink|rmdir|removedirs|truncate)|shutil\.rmtree|(fs\.)?(promises\.)?(rmSync|rm|unlinkSync|unlink|rmdirSync|truncateSync))$/.test(
      name,
    )
  )
    return [{ kind: 'delete', paths: paths(first) }];
  if (/^(unlink|rmdir)$/.test(method) && object) return [{ kind: 'delete', paths: paths(object) }];
  if (/^(touch)$/.test(method) && object && scope.isPython) return [{ kind: 'write', paths: paths(object), text: '', isAppend: true }];
  return [];
}

function movingActions(called: CalledFunction, scope: CodeScope, paths: ReadPaths): Action[] {
  const { name, method, args, object } = called;
  const [first, second] = args;
  const kind = /^(shutil\.(copy\w*)|(fs\.)?(promises\.)?(copyFileSync|copyFile|cpSync|cp))$/.test(name)
    ? 'copy'
    : /^(shutil\.move|os\.(rename|renames|replace)|(fs\.)?(promises\.)?(renameSync|rename))$/.test(name)
      ? 'move'
      : /^(os\.(symlink|link)|(fs\.)?(promises\.)?(symlinkSync|symlink|linkSync|link))$/.test(name)
        ? 'link'
        : undefined;
  if (kind) return [{ kind, from: paths(first), to: paths(second) }];
  if (scope.isPython && object && /^(rename|symlink_to|hardlink_to)$/.test(method)) {
    return method === 'rename'
      ? [{ kind: 'move', from: paths(object), to: paths(first) }]
      : [{ kind: 'link', from: paths(first), to: paths(object) }];
  }
  if (/^(os\.chmod|(fs\.)?(promises\.)?(chmodSync|chmod))$/.test(name)) return [{ kind: 'mode', paths: paths(first) }];
  return method === 'chmod' && object && paths(object).length > 0 ? [{ kind: 'mode', paths: paths(object) }] : [];
}

function runningActions(called: CalledFunction, scope: CodeScope, _paths: ReadPaths, texts: ReadTexts): Action[] {
  const { name, method, args, keywords } = called;
  const [first, second] = args;
  const isProcess =
    /^(subprocess\.\w+|asyncio\.create_subprocess_\w+|child_process\.\w+|os\.(system|popen|exec\w+|spawn\w+|posix_spawn\w*)|pty\.spawn|execa\w*|Bun\.(spawn|spawnSync|\$)|commands\.getoutput|execSync|spawnSync|execFileSync|sh\.\w+)$/.test(
      name,
    );
  if (isProcess) {
    const command = /^os\.spawn/.test(name) ? args[2] : (first ?? keywords.get('args'));
    if (command && /^(list|tuple|array)$/.test(command.type)) return [{ kind: 'argv', words: elements(command, texts) }];
    const isArgv =
      /^(child_process\.(spawn|execFile|fork)|os\.exec|os\.posix_spawn|spawnSync|execFileSync|asyncio\.create_subprocess_exec)/.test(name);
    if (isArgv && second && /^(list|tuple|array)$/.test(second.type))
      return [{ kind: 'argv', words: [...texts(first).slice(0, 1), ...elements(second, texts)] }];
    if (isArgv) return [{ kind: 'argv', words: args.flatMap((argument) => texts(argument).slice(0, 1)) }];
    const found = texts(command);
    return found.length > 0
      ? [
          {
            kind: command?.type === 'identifier' && found.length > 1 ? 'argv' : 'shell',
            ...(command?.type === 'identifier' && found.length > 1 ? { words: found } : { texts: found }),
          } as Action,
        ]
      : [];
  }
  if (
    /^(exec|eval|compile|Function|vm\.(runInThisContext|runInNewContext|runInContext|Script)|new Function|builtins\.exec|globalThis\.eval)$/.test(
      name,
    )
  ) {
    const found = texts(name === 'Function' ? args.at(-1) : first);
    return found.length > 0 ? [{ kind: 'evaluate', texts: found }] : [];
  }
  return method === 'constructor' && scope.isPython ? [] : [];
}

function networkActions({ name, args, keywords, object }: CalledFunction, _scope: CodeScope, paths: ReadPaths): Action[] {
  const isNetwork =
    /^(urllib\.request\.(urlopen|urlretrieve|Request)|urllib2\.urlopen|requests\.\w+|httpx\.\w+|aiohttp\.\w+|http\.client\.HTTPS?Connection|socket\.(create_connection|getaddrinfo|gethostbyname)|fetch|axios(\.\w+)?|got(\.\w+)?|https?\.(get|request)|undici\.\w+|net\.(connect|createConnection)|tls\.connect|dns\.\w+|XMLHttpRequest|WebSocket|ftplib\.FTP|smtplib\.SMTP)$/.test(
      name,
    );
  if (isNetwork) {
    const targets = [...paths(args[0] ?? keywords.get('url')), ...paths(args[1]).filter((text) => /^https?:/.test(text))];
    return [{ kind: 'network', targets: targets.length > 0 ? targets : ['*'] }];
  }
  const url = [...args.flatMap((argument) => paths(argument)), ...(object ? paths(object) : [])].filter(
    (text) => /^(https?|ftp|git|ssh|wss?):\/\//.test(text) && text.length < 500,
  );
  return /\b(get|post|put|request|open|connect|download|retrieve|urlopen)$/i.test(name) && url.length > 0
    ? [{ kind: 'network', targets: url }]
    : [];
}

function elements(list: SyntaxNode, texts: ReadTexts): CodeText[] {
  return list.children
    .filter(({ isNamed, type }) => isNamed && type !== 'comment')
    .map((item) => texts(item)[0] ?? { text: '*', isConstant: false, isDecoded: false });
}

/** What is written through a file that `open` gave: `open(…).write(text)`, `with open(…) as f: f.write(text)`, `print(text, file=f)`. */
function writtenText({ node }: CalledFunction, texts: ReadTexts): string | undefined {
  const attribute = node.parent;
  const direct = attribute && /^(attribute|member_expression)$/.test(attribute.type) ? attribute.parent : undefined;
  if (direct && childOf(direct, 'function') === attribute) {
    const first = childOf(direct, 'arguments')?.children.find(({ isNamed }) => isNamed);
    const text = texts(first)[0];
    return text?.isConstant ? text.text : undefined;
  }
  const alias = attribute?.type === 'as_pattern' ? childOf(attribute, 'alias')?.text : undefined;
  let block: SyntaxNode | undefined = attribute;
  while (block && block.type !== 'with_statement') block = block.parent;
  const body = block && childOf(block, 'body');
  if (!alias || !body) return undefined;
  let written = '';
  for (const call of nodesOf(body, 'call')) {
    const callee = childOf(call, 'function')?.text;
    const first = childOf(call, 'arguments')?.children.find(({ isNamed }) => isNamed);
    if (callee !== `${alias}.write` && callee !== 'json.dump') continue;
    const text = texts(first)[0];
    if (!text?.isConstant) return undefined;
    written += text.text;
  }
  return written === '' ? undefined : written;
}
