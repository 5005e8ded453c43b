import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FoundDependencies, MissingPackage } from './find-dependencies.js';
import type { ModuleGraph } from './module-graph.js';
import { pythonImports } from './python-imports.js';
import { modulesOf } from './python-system.js';

/** Modules that the interpreter brings without a file of their own. */
const builtinPython =
  '__future__ __main__ _thread array atexit binascii builtins cmath errno faulthandler fcntl gc grp itertools marshal math mmap nt posix pwd pyexpat readline resource select signal spwd sys syslog termios time unicodedata winreg winsound msvcrt zlib'.split(
    ' ',
  );

/**
 * Finds the top modules that the reached files import: in the standard library, among the system's packages, or in a
 * folder of packages that are to lie beside the sources, with what those import in turn.
 */
export function findPythonDependencies(options: {
  reached: Iterable<string>;
  graph: ModuleGraph;
  /** Folders whose modules every sandbox sees, the standard library's among them. */
  systemPackages: readonly string[];
  /** A folder of further packages. */
  pythonPackages: string | undefined;
  /** Top modules of the repository itself. */
  own: ReadonlySet<string>;
}): FoundDependencies {
  const { graph, pythonPackages = '', own } = options;
  const system = new Set([
    ...builtinPython,
    ...own,
    'pytest',
    ...options.systemPackages.flatMap((folder) => [...modulesOf(folder).keys()]),
  ]);
  const offered = pythonPackages === '' ? new Map<string, readonly string[]>() : modulesOf(pythonPackages);
  const missing = new Map<string, MissingPackage>();
  const laid = new Map<string, readonly string[]>();
  const open: Omit<MissingPackage, 'range'>[] = [];
  for (const path of options.reached) for (const needed of graph.get(path)?.packages ?? []) open.push({ ...needed, neededBy: path });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name } = next;
    if (system.has(name) || laid.has(name)) continue;
    const entries = offered.get(name);
    if (entries === undefined) {
      if (missing.get(name)?.optional !== false) missing.set(name, next);
      continue;
    }
    laid.set(name, entries);
    // What a package imports it may well do without; its author knows.
    const imported = entries.flatMap((entry) => topImports(join(pythonPackages, entry)));
    open.push(...imported.filter((other) => other !== name).map((other) => ({ name: other, neededBy: name, optional: true })));
  }
  const sorted = [...missing.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { dependencies: [], pythonModules: [...laid.values()].flat().sort(), missing: sorted };
}

function topImports(path: string): readonly string[] {
  const files = path.endsWith('.py') ? [path] : pythonFiles(path, 0);
  return files.flatMap((file) =>
    pythonImports(readFileSync(file, 'utf8')).imports.flatMap(({ specifier }) =>
      /^[A-Za-z_]/.test(specifier) && !specifier.includes(':') ? [specifier.split('.')[0] as string] : [],
    ),
  );
}

function pythonFiles(folder: string, depth: number): readonly string[] {
  if (depth > 8 || /\.(so|(dist|egg)-info)$/.test(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'tests' || entry.name === '__pycache__' ? [] : pythonFiles(path, depth + 1);
    return entry.isFile() && entry.name.endsWith('.py') ? [path] : [];
  });
}
