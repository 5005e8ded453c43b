import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { TestRunner } from '@tadpole/contracts';
import { runnerPackage } from '../../grading/test-runners.js';
import { type ModuleGraph, requiredFiles } from './module-graph.js';
import { type NpmManifest, parseNpmManifest } from './npm-manifest.js';

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
