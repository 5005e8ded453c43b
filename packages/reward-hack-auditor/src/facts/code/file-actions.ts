import { besideFile, type ReadCall, type UnplacedAction } from './code-action.js';
import { writtenText } from './written-text.js';

/** Functions and methods that do one thing to files. */
interface FileFunction {
  /** Pattern of full names. */
  readonly name?: RegExp;
  /** Pattern of last parts of names, for what is called on a path. */
  readonly method?: RegExp;
  /** True where `method` says so only in Python. @default false */
  readonly isPythonOnly?: boolean;
  read(call: ReadCall): UnplacedAction[];
}

/** The first that fits counts. */
const fileFunctions: readonly FileFunction[] = [
  { name: /^(tarfile\.open|zipfile\.ZipFile)$/, read: openedArchive },
  {
    name: /^(open|io\.open|codecs\.open|gzip\.open|bz2\.open|lzma\.open|os\.open|fs\.openSync|fs\.open|fs\.promises\.open|os\.fdopen)$/,
    method: /^open$/,
    isPythonOnly: true,
    read: openedFile,
  },
  {
    name: /^(.*\.)?(write_text|write_bytes)$/,
    read: ({ object, args, keywords, paths, texts }) => [
      { kind: 'write', paths: paths(object), text: constantText(texts(args[0] ?? keywords.get('data'))), isAppend: false },
    ],
  },
  { name: /^(.*\.)?(read_text|read_bytes)$/, read: ({ object, paths }) => [{ kind: 'read', paths: paths(object) }] },
  {
    name: /^((fs\.)?(promises\.)?(writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream)|Bun\.write)$/,
    read: ({ name, node, args, paths, texts }) => {
      const isAppend = /append/.test(name) || /flags?:\s*['"]a/.test(node.text);
      return [{ kind: 'write', paths: paths(args[0]), text: constantText(texts(args[1])), isAppend }];
    },
  },
  {
    name: /^((fs\.)?(promises\.)?(readFileSync|readFile|createReadStream|readlinkSync|readlink)|Bun\.file)$/,
    read: ({ args, paths }) => [{ kind: 'read', paths: paths(args[0]) }],
  },
  {
    name: /^(import|require|importlib\.import_module|runpy\.run_path|linecache\.getlines?|sqlite3\.connect|numpy\.load|np\.load|pandas\.read_\w+|pd\.read_\w+|fileinput\.input|os\.readlink|mmap\.mmap|shelve\.open|dbm\.open|module\.createRequire)$/,
    read: loadedFile,
  },
  {
    name: /(spec_from_file_location|SourceFileLoader|SourcelessFileLoader)$/,
    read: ({ args, paths }) => [{ kind: 'read', paths: paths(args[1]) }],
  },
  {
    name: /^(glob\.i?glob|os\.(walk|listdir|scandir|fwalk)|(fs\.)?(promises\.)?(readdirSync|readdir|opendirSync|opendir|globSync|glob))$/,
    read: ({ args, keywords, paths }) => {
      const roots = paths(args[0] ?? keywords.get('path'));
      return [{ kind: 'search', paths: roots.length > 0 ? roots : ['.'] }];
    },
  },
  {
    method: /^(rglob|glob|iterdir)$/,
    isPythonOnly: true,
    read: ({ node, texts }) => [{ kind: 'search', paths: texts(node).map(({ text }) => text) }],
  },
  {
    name: /^(os\.path\.(exists|isfile|isdir|getsize|getmtime)|os\.stat|(fs\.)?(existsSync|statSync|lstatSync|accessSync))$/,
    read: ({ args, paths }) => [{ kind: 'search', paths: paths(args[0]) }],
  },
  {
    method: /^(exists|is_file|is_dir|stat)$/,
    isPythonOnly: true,
    read: ({ object, paths }) => {
      const asked = paths(object);
      return asked.length > 0 ? [{ kind: 'search', paths: asked }] : [];
    },
  },
  {
    name: /^(os\.(remove|unlink|rmdir|removedirs|truncate)|shutil\.rmtree|(fs\.)?(promises\.)?(rmSync|rm|unlinkSync|unlink|rmdirSync|truncateSync))$/,
    read: ({ args, paths }) => [{ kind: 'delete', paths: paths(args[0]) }],
  },
  { method: /^(unlink|rmdir)$/, read: ({ object, paths }) => [{ kind: 'delete', paths: paths(object) }] },
  {
    method: /^touch$/,
    isPythonOnly: true,
    read: ({ object, paths }) => [{ kind: 'write', paths: paths(object), text: '', isAppend: true }],
  },
];

/** What a call reads, writes, looks for or removes. */
export function fileActions(call: ReadCall): UnplacedAction[] {
  return fileFunctions.find((each) => fits(each, call))?.read(call) ?? [];
}

function fits({ name, method, isPythonOnly = false }: FileFunction, call: ReadCall): boolean {
  if (name?.test(call.name)) return true;
  return call.object !== undefined && (call.scope.isPython || !isPythonOnly) && method?.test(call.method) === true;
}

/** `open(path, mode)` and its like, and `path.open(mode)`. */
function openedFile(call: ReadCall): UnplacedAction[] {
  const { name, method, args, object, keywords, paths, texts } = call;
  const isFunction = method !== 'open' || name === 'open' || /^(io|codecs|gzip|bz2|lzma|os|fs|fs\.promises)$/.test(name.slice(0, -5));
  const [path, second] = isFunction ? [args[0] ?? keywords.get('file'), args[1]] : [object, args[1]];
  const given = isFunction ? (second ?? keywords.get('mode')) : args[0];
  const flags = texts(given)[0]?.text ?? (/O_(WRONLY|RDWR|CREAT)/.test(second?.text ?? '') ? 'w' : 'r');
  const mode = keywords.has('mode') ? (texts(keywords.get('mode'))[0]?.text ?? flags) : flags;
  const target = paths(path);
  if (/[wax+]/.test(mode)) return [{ kind: 'write', paths: target, text: writtenText(call), isAppend: mode.includes('a') }];
  return target.length > 0 ? [{ kind: 'read', paths: target }] : [];
}

/** An archive that is made anew is written; one that is opened, also to add to it, is read. */
function openedArchive({ args, keywords, paths, texts }: ReadCall): UnplacedAction[] {
  const found = paths(args[0] ?? keywords.get('file') ?? keywords.get('name')).filter((path) => /[/~.]/.test(path));
  if (found.length === 0) return [];
  const mode = texts(args[1] ?? keywords.get('mode'))[0]?.text ?? 'r';
  return [/^[wx]/.test(mode) ? { kind: 'write', paths: found, text: undefined, isAppend: false } : { kind: 'read', paths: found }];
}

/** Modules and tables that a call loads. */
function loadedFile({ name, args, paths, scope }: ReadCall): UnplacedAction[] {
  const isImport = /^(import|require)$/.test(name);
  const found = paths(args[0])
    .filter((path) => /[/~.]/.test(path))
    .map((path) => (isImport ? besideFile(path, scope) : path));
  return found.length > 0 ? [{ kind: 'read', paths: found }] : [];
}

function constantText([text]: ReturnType<ReadCall['texts']>): string | undefined {
  return text?.isConstant ? text.text : undefined;
}
