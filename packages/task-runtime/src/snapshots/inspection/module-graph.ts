import { dirname, join } from 'node:path/posix';
import { type FileImports, javascriptImports, type NamedImport, packageOf, resolveJavascriptImport } from './javascript-imports.js';
import type { NpmManifest } from './npm-manifest.js';
import { languageOf } from './path-roles.js';
import { pythonImports, resolvePythonImport } from './python-imports.js';

/** What one file loads. */
export interface ModuleNode {
  /** Files of the repository, relative. */
  readonly files: readonly string[];
  /** Those of `files` that it goes on without. */
  readonly optionalFiles: ReadonlySet<string>;
  /** Packages, or top modules of Python, that the repository does not hold; `optional` where the file goes on without. */
  readonly packages: readonly { readonly name: string; readonly optional: boolean }[];
  /** It loads something whose name is computed, so `files` may lack one. */
  readonly computed: boolean;
}

/** Who imports whom in a repository, by the text of its files. */
export type ModuleGraph = ReadonlyMap<string, ModuleNode>;

/** Conditions that are no package's own. */
const standardConditions = ['node', 'import', 'require', 'module', 'module-sync', 'node-addons', 'default'];

/** Reads the imports of all code of a repository. Nothing is executed; what is computed at run time is not seen. */
export function moduleGraph(options: {
  texts: ReadonlyMap<string, string>;
  paths: readonly string[];
  manifest: NpmManifest | undefined;
}): ModuleGraph {
  const { texts, manifest } = options;
  const paths = new Set(options.paths);
  const shared = ['node', 'default', ...sourceConditions({ manifest, paths })];
  const conditions = { imported: new Set([...shared, 'import', 'module']), required: new Set([...shared, 'require']) };
  const roots = paths.has('src/__init__.py') ? [''] : ['', 'src'];
  const nodes = new Map<string, ModuleNode>();
  for (const [path, text] of texts) {
    const language = languageOf(path);
    if (language === 'python') {
      const resolve = ({ specifier }: NamedImport) => resolvePythonImport({ specifier, from: path, paths, roots });
      nodes.set(path, moduleNode(path, { ...pythonImports(text), resolve, nameOf: pythonModuleOf, implicit: implicitFiles(path, paths) }));
    } else if (language !== undefined) {
      const resolve = ({ specifier, required }: NamedImport) =>
        resolveJavascriptImport({ specifier, from: path, paths, manifest, conditions: conditions[required ? 'required' : 'imported'] }) ??
        [];
      nodes.set(path, moduleNode(path, { ...javascriptImports(text), resolve, nameOf: npmPackageOf, implicit: [] }));
    }
  }
  return nodes;
}

function moduleNode(
  path: string,
  language: FileImports & {
    resolve: (named: NamedImport) => string | readonly string[];
    /** The package that an import names which leads to no file. */
    nameOf: (specifier: string) => string | undefined;
    implicit: readonly string[];
  },
): ModuleNode {
  const files = new Map<string, boolean>(language.implicit.map((file) => [file, false]));
  const packages = new Map<string, boolean>();
  for (const named of language.imports) {
    const resolved = [language.resolve(named)].flat();
    for (const file of resolved) if (file !== path) files.set(file, named.optional && (files.get(file) ?? true));
    const name = resolved.length > 0 ? undefined : language.nameOf(named.specifier);
    if (name !== undefined) packages.set(name, named.optional && (packages.get(name) ?? true));
  }
  return {
    files: [...files.keys()],
    optionalFiles: new Set([...files].flatMap(([file, optional]) => (optional ? [file] : []))),
    packages: [...packages].map(([name, optional]) => ({ name, optional })),
    computed: language.computed,
  };
}

/** The files that some files load, themselves included. */
export function reachedFiles(graph: ModuleGraph, from: Iterable<string>): ReadonlySet<string> {
  return closure(from, (path) => graph.get(path)?.files ?? []);
}

/** The files that some files cannot load without, themselves included. */
export function requiredFiles(graph: ModuleGraph, from: Iterable<string>): ReadonlySet<string> {
  return closure(from, (path) => {
    const node = graph.get(path);
    return node?.files.filter((file) => !node.optionalFiles.has(file)) ?? [];
  });
}

function closure(from: Iterable<string>, next: (path: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    open.push(...next(path));
  }
  return reached;
}

/**
 * Conditions of a manifest's own making that lead to TypeScript in the repository, such as `@zod/source`: with them a
 * package's tests load its sources and not what was built of them.
 */
function sourceConditions(options: { manifest: NpmManifest | undefined; paths: ReadonlySet<string> }): readonly string[] {
  const found = new Set<string>();
  visit(options.manifest?.exports);
  return [...found];

  function visit(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const own = !/^[.#]/.test(key) && !/^(types|browser|production|development|\d+)$/.test(key) && !standardConditions.includes(key);
      const path = typeof inner === 'string' ? join('.', inner) : '';
      if (own && languageOf(path) === 'typescript' && options.paths.has(path)) found.add(key);
      visit(inner);
    }
  }
}

/** What pytest loads for a file unasked: the `conftest.py` of every folder above it, and the package that it is in. */
function implicitFiles(path: string, paths: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    for (const name of ['conftest.py', '__init__.py']) {
      const file = join(folder, name);
      if (paths.has(file) && file !== path) found.push(file);
    }
    if (folder === '.') return found;
  }
}

function pythonModuleOf(specifier: string): string | undefined {
  return specifier.startsWith('.') || specifier.includes(':') ? undefined : specifier.split('.')[0];
}

function npmPackageOf(specifier: string): string | undefined {
  return /^(\.|\/|#|file:|data:|https?:)/.test(specifier) ? undefined : packageOf(specifier);
}
