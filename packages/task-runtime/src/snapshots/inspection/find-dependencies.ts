import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { TestRunner } from '@tadpole/contracts';
import { runnerPackage } from '../../grading/test-runners.js';
import { type ModuleGraph, requiredFiles } from './module-graph.js';
import { type NpmManifest, parseNpmManifest } from './npm-manifest.js';
import { pythonImports } from './python-imports.js';

/** A package or Python module that the code names and nothing offers. */
export interface MissingPackage {
  readonly name: string;
  /** The versions that the manifest asks for. */
  readonly range?: string | undefined;
  /** A file that imports it. */
  readonly neededBy: string;
  /** The file goes on without it. */
  readonly optional: boolean;
}

/** What tests and sources need from outside. */
export interface FoundDependencies {
  /** npm packages that are installed. */
  readonly dependencies: readonly { readonly name: string; readonly version: string }[];
  /** Entries of the folder of Python packages that have to lie beside the sources. */
  readonly pythonModules: readonly string[];
  readonly missing: readonly MissingPackage[];
}

/** Finds the npm packages that the reached files import, and the runner itself, in an installed `node_modules`. */
export function findNpmDependencies(options: {
  reached: Iterable<string>;
  graph: ModuleGraph;
  runner: TestRunner;
  manifest: NpmManifest | undefined;
  /** Folders to look in, in order. */
  nodeModules: string | undefined;
}): FoundDependencies {
  const { manifest, graph, nodeModules } = options;
  const needed = new Map<string, Pick<MissingPackage, 'neededBy' | 'optional'>>();
  const need = (name: string, neededBy: string, optional: boolean) => {
    const known = needed.get(name);
    if (known === undefined || (known.optional && !optional)) needed.set(name, { neededBy, optional });
  };
  const framework = runnerPackage(options.runner);
  if (framework !== undefined) need(framework, 'the test runner', false);
  for (const path of options.reached) {
    for (const { name, optional } of graph.get(path)?.packages ?? []) {
      if (name !== manifest?.name && !name.startsWith('node:') && !builtinModules.includes(name)) need(name, path, optional);
    }
  }
  for (const name of Object.keys(manifest?.dependencies ?? {})) need(name, 'package.json', true);
  const dependencies: { name: string; version: string }[] = [];
  const missing: MissingPackage[] = [];
  for (const [name, { neededBy, optional }] of [...needed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const version = installedVersion(nodeModules, name);
    const range = manifest?.devDependencies[name] ?? manifest?.dependencies[name] ?? manifest?.peerDependencies[name];
    if (version === undefined) missing.push({ name, range, neededBy, optional });
    else dependencies.push({ name, version });
  }
  return { dependencies, pythonModules: [], missing };
}

function installedVersion(nodeModules: string | undefined, name: string): string | undefined {
  if (nodeModules === undefined || !/^(@[\w.~-]+\/)?[\w.~-]+$/.test(name) || name.startsWith('.')) return undefined;
  const path = join(nodeModules, name, 'package.json');
  return existsSync(path) ? parseNpmManifest(readFileSync(path, 'utf8'))?.version : undefined;
}

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
  const system = new Set([
    ...builtinPython,
    ...options.own,
    'pytest',
    ...options.systemPackages.flatMap((folder) => [...modulesOf(folder).keys()]),
  ]);
  const offered = options.pythonPackages === undefined ? new Map<string, readonly string[]>() : modulesOf(options.pythonPackages);
  const missing = new Map<string, MissingPackage>();
  const laid = new Set<string>();
  const open: { name: string; neededBy: string; optional: boolean }[] = [];
  for (const path of options.reached)
    for (const { name, optional } of options.graph.get(path)?.packages ?? []) open.push({ name, neededBy: path, optional });
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, neededBy, optional } = next;
    if (system.has(name)) continue;
    const entries = offered.get(name);
    if (entries === undefined) {
      if (missing.get(name)?.optional !== false) missing.set(name, { name, neededBy, optional });
      continue;
    }
    if (seen.has(name)) continue;
    seen.add(name);
    for (const entry of entries) {
      laid.add(entry);
      for (const imported of topImports(join(options.pythonPackages as string, entry)))
        if (imported !== name) open.push({ name: imported, neededBy: entry, optional: true });
    }
  }
  return { dependencies: [], pythonModules: [...laid].sort(), missing: [...missing.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Names of the modules in a folder, each with its entry and the metadata beside it. */
export function modulesOf(folder: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return found;
  }
  for (const entry of names) {
    const name = /^([A-Za-z_]\w*)(\.py|\.cpython[\w-]*\.so|\.abi3\.so)?$/.exec(entry)?.[1];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), entry]);
  }
  for (const entry of names) {
    const module = /^(.+?)-[^-]+.*\.(dist|egg)-info$/.exec(entry)?.[1]?.replace(/[-.]/g, '_');
    if (module !== undefined) found.get(module)?.push(entry);
  }
  return found;
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

/** Test files that cannot be loaded without a package that is missing, each with the first that it lacks. */
export function lackingPackages(options: {
  testFiles: readonly string[];
  graph: ModuleGraph;
  missing: readonly MissingPackage[];
}): readonly { readonly path: string; readonly lacks: string }[] {
  const names = new Set(options.missing.filter(({ optional }) => !optional).map(({ name }) => name));
  return options.testFiles.flatMap((path) => {
    for (const reached of requiredFiles(options.graph, [path])) {
      const lacks = options.graph.get(reached)?.packages.find(({ name, optional }) => !optional && names.has(name));
      if (lacks !== undefined) return [{ path, lacks: lacks.name }];
    }
    return [];
  });
}
