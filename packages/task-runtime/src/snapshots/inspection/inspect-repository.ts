import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { relativePathSchema, TadpoleError, type TestRunner } from '@tadpole/contracts';
import { describeOrigin } from './describe-origin.js';
import { findNpmDependencies, findPythonDependencies, lackingPackages, type MissingPackage, modulesOf } from './find-dependencies.js';
import { findHiddenPaths } from './find-hidden-paths.js';
import { findSources } from './find-sources.js';
import { findTestRunner } from './find-test-runner.js';
import { missingFixtures } from './missing-fixtures.js';
import { moduleGraph, reachedFiles } from './module-graph.js';
import { nestedPackages } from './nested-packages.js';
import { parseNpmManifest } from './npm-manifest.js';
import { isTestPath, languageOf, type RepositoryLanguage } from './path-roles.js';
import { type RepositoryFiles, readRepositoryFiles } from './read-repository-files.js';

/** What a folder was found to be, everything that `openSnapshot` needs. */
export interface InspectedRepository {
  /** Absolute; inside the given folder where that only wraps the repository. */
  readonly directory: string;
  readonly name: string;
  readonly version: string;
  /** SPDX expression; `undefined` when nothing states one. */
  readonly licence: string | undefined;
  /** Languages of the sources. */
  readonly languages: readonly RepositoryLanguage[];
  readonly runner: TestRunner;
  /** Files that a generator may change. */
  readonly sourceFiles: readonly string[];
  readonly testFiles: readonly string[];
  /** Files and folders for the grader alone. */
  readonly hiddenPaths: readonly string[];
  /** What holds a built copy of a source, and what is built or installed. */
  readonly dropPaths: readonly string[];
  /** npm packages, as they are installed. */
  readonly dependencies: readonly { readonly name: string; readonly version: string }[];
  /** Entries of `pythonPackages` that have to lie beside the sources. */
  readonly pythonModules: readonly string[];
  /** What the code imports and nothing offers; test files that cannot do without are not among `testFiles`. */
  readonly missing: readonly MissingPackage[];
  /** In words: what was decided why, what was assumed, what was not found. */
  readonly notes: readonly string[];
}

/** What a caller knows better than the inspection; later decisions build on it. */
export type RepositoryOverrides = Partial<
  Pick<
    InspectedRepository,
    'name' | 'version' | 'licence' | 'runner' | 'sourceFiles' | 'testFiles' | 'hiddenPaths' | 'dropPaths' | 'dependencies' | 'pythonModules'
  >
>;

/** Options of {@link inspectRepository}. */
export interface InspectOptions {
  /** The folder: an npm package, a Python package, or an unpacked Debian package of one. */
  readonly directory: string;
  /** Installed npm packages. @default the folder's own `node_modules`, where it has one */
  readonly nodeModules?: string | undefined;
  /** Python packages that the system lacks, laid out as in `site-packages`. @default none */
  readonly pythonPackages?: string | undefined;
  /** Folders of the Python that sandboxes see, standard library included. @default those of `/usr` */
  readonly systemPackages?: readonly string[] | undefined;
  readonly overrides?: RepositoryOverrides | undefined;
}

/**
 * Finds out what a folder is and how it is tested, from its text alone: nothing of it is executed, no link is followed,
 * and what is read is bounded.
 *
 * @throws TadpoleError `invalid-input` for a folder that no task can be made of: several packages, no tests, tests of a
 * runner that this runtime has no reporter for, tests that all need what is not installed, or a Python package that the
 * system has installed, where an agent could read it.
 */
export async function inspectRepository(options: InspectOptions): Promise<InspectedRepository> {
  const { overrides = {} } = options;
  for (const path of [overrides.sourceFiles, overrides.testFiles, overrides.hiddenPaths, overrides.dropPaths].flatMap(
    (list) => list ?? [],
  )) {
    if (relativePathSchema.safeParse(path).success) continue;
    throw new TadpoleError({ code: 'invalid-input', message: `expected paths relative to the repository, got ${JSON.stringify(path)}` });
  }
  const given = await readRepositoryFiles({ directory: resolve(options.directory) });
  const files = await unwrap(given);
  const { paths, texts, directory } = files;
  const notes = [...files.notes];
  const manifest = parseNpmManifest(texts.get('package.json'));
  if (manifest === undefined && texts.has('package.json')) notes.push('package.json is no JSON object and was not used');
  const nested = nestedPackages({ paths, texts, manifest });
  if (nested.length > 0 && overrides.testFiles === undefined) {
    throw refuse(
      directory,
      `it holds several packages; give one of them: ${nested.slice(0, 5).join(', ')}${nested.length > 5 ? ', …' : ''}`,
    );
  }
  const graph = moduleGraph({ texts, paths, manifest });
  const candidates = overrides.testFiles ?? paths.filter((path) => isTestPath(path) && languageOf(path) !== undefined);
  const found = findTestRunner({ candidates, texts, graph, manifest, runner: overrides.runner });
  if (found.runner === undefined)
    throw refuse(directory, `${found.reason}; the runners are node:test, tape, mocha, vitest, jest and pytest`);
  const { runner } = found;
  notes.push(`runner: ${found.reason}`);
  const named = overrides.testFiles ?? found.testFiles;
  if (named.length === 0) throw refuse(directory, `no test file of ${runner} was found`);
  const python = runner === 'pytest';
  const origin = describeOrigin({ manifest: python ? undefined : manifest, texts, given: given.texts, directory, overrides });
  const ownPackages = { ...options, nodeModules: options.nodeModules ?? ownFolder(join(directory, 'node_modules')) };
  const systemPackages = options.systemPackages ?? defaultSystemPackages();
  const reached = reachedFiles(graph, named);
  const needs = python
    ? findPythonDependencies({ reached, graph, systemPackages, pythonPackages: options.pythonPackages, own: topModules(paths) })
    : findNpmDependencies({ reached, graph, runner, manifest, nodeModules: ownPackages.nodeModules });
  const chosen = overrides.testFiles === undefined;
  const aside = chosen
    ? [
        ...lackingPackages({ testFiles: named, graph, missing: needs.missing }),
        ...(python ? missingFixtures({ testFiles: named, texts }) : []),
      ]
    : [];
  for (const { path, lacks } of aside) notes.push(`${path} is not run: it needs ${lacks}, which is not installed`);
  const testFiles = named.filter((path) => !aside.some((file) => file.path === path));
  if (testFiles.length === 0) {
    const names = needs.missing
      .filter(({ optional }) => !optional)
      .map(({ name, range }) => (range === undefined ? name : `${name}@${range}`));
    throw refuse(directory, `all its tests need what is not installed: ${names.join(', ')}`);
  }
  const spared = needs.missing.filter(({ optional }) => optional).map(({ name }) => name);
  if (spared.length > 0) notes.push(`not installed, and the code that imports it says it can do without: ${spared.join(', ')}`);
  const hiddenPaths = overrides.hiddenPaths ?? findHiddenPaths({ paths, graph, testFiles });
  const sources = findSources({ paths, texts, graph, testFiles, hiddenPaths, sourceFiles: overrides.sourceFiles });
  if (sources.sourceFiles.length === 0) throw refuse(directory, 'no source file was found beside its tests');
  if (python) assertNotInstalled({ directory, paths, systemPackages });
  return {
    directory,
    ...origin,
    languages: [...new Set(sources.sourceFiles.map(languageOf).filter((language) => language !== undefined))].sort(),
    runner,
    sourceFiles: sources.sourceFiles,
    testFiles,
    hiddenPaths,
    dropPaths: overrides.dropPaths ?? sources.dropPaths,
    dependencies: overrides.dependencies ?? needs.dependencies,
    pythonModules: overrides.pythonModules ?? needs.pythonModules,
    missing: needs.missing,
    notes: [...notes, ...origin.notes, ...sources.notes],
  };
}

/** The folder that Python finds a package in, where the given one only wraps it, as an unpacked Debian package does. */
async function unwrap(files: RepositoryFiles): Promise<RepositoryFiles> {
  if (['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg'].some((name) => files.paths.includes(name))) return files;
  const homes = new Set(files.paths.flatMap((path) => /^(.+)\/[^/]+\.(dist|egg)-info\/(METADATA|PKG-INFO)$/.exec(path)?.[1] ?? []));
  const [home] = homes;
  if (home === undefined || homes.size > 1) return files;
  const inner = await readRepositoryFiles({ directory: join(files.directory, home) });
  return { ...inner, notes: [`the repository is ${home}, where the given folder's Python package lies`, ...inner.notes] };
}

/** Another copy of the package on the path of every Python would give the answer away. */
function assertNotInstalled(options: { directory: string; paths: readonly string[]; systemPackages: readonly string[] }): void {
  const own = topModules(options.paths);
  for (const folder of options.systemPackages) {
    if (!/(dist|site)-packages\/?$/.test(folder)) continue;
    const copy = [...modulesOf(folder).keys()].find((name) => own.has(name) && !isTestPath(`${name}.py`) && name !== 'setup');
    if (copy !== undefined)
      throw refuse(options.directory, `its module ${copy} is installed in ${folder}, where an agent could read it; remove that copy`);
  }
}

/** Modules that stand at the root of the repository or of its `src`. */
function topModules(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => /^(?:src\/)?([A-Za-z_]\w*)(?:\/__init__)?\.py$/.exec(path)?.[1] ?? []));
}

function defaultSystemPackages(): readonly string[] {
  const versions = (folder: string) => (existsSync(folder) ? readdirSync(folder).filter((name) => /^python3(\.\d+)?$/.test(name)) : []);
  return [
    ...versions('/usr/lib').flatMap((name) => [
      `/usr/lib/${name}`,
      `/usr/lib/${name}/lib-dynload`,
      `/usr/lib/${name}/dist-packages`,
      `/usr/lib/${name}/site-packages`,
    ]),
    ...versions('/usr/local/lib').flatMap((name) => [`/usr/local/lib/${name}/dist-packages`, `/usr/local/lib/${name}/site-packages`]),
  ];
}

function ownFolder(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

function refuse(directory: string, why: string): TadpoleError {
  const message = `expected ${basename(directory)} to be a repository that tasks can be made of, but ${why}`;
  return new TadpoleError({ code: 'invalid-input', message });
}
