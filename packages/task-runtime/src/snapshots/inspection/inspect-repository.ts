import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { relativePathSchema, TadpoleError, type TestRunner } from '@tadpole/contracts';
import { describeOrigin } from './describe-origin.js';
import { findConfiguration } from './find-configuration.js';
import { type FoundDependencies, findNpmDependencies, lackingPackages, type MissingPackage } from './find-dependencies.js';
import { findHiddenPaths } from './find-hidden-paths.js';
import { findPythonDependencies } from './find-python-dependencies.js';
import { findSources } from './find-sources.js';
import { findTestRunner } from './find-test-runner.js';
import { missingFixtures } from './missing-fixtures.js';
import { type ModuleGraph, moduleGraph, reachedFiles } from './module-graph.js';
import { nestedPackages } from './nested-packages.js';
import { type NpmManifest, parseNpmManifest } from './npm-manifest.js';
import { isTestPath, languageOf, type RepositoryLanguage } from './path-roles.js';
import { installedCopy, systemPackageFolders, topModules } from './python-system.js';
import { readRepositoryFiles } from './read-repository-files.js';
import { unwrapRepository } from './unwrap-repository.js';

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
  /** The runner's configuration, where the tests may not run without it. */
  readonly configFile: string | undefined;
  /** Entries of `pythonPackages` that have to lie beside the sources. */
  readonly pythonModules: readonly string[];
  /** What the code imports and nothing offers; test files that cannot do without are not among `testFiles`, which may leave none. */
  readonly missing: readonly MissingPackage[];
  /** In words: what was decided why, what was assumed, what was not found. */
  readonly notes: readonly string[];
}

/** What a caller knows better than the inspection; later decisions build on it. */
export type RepositoryOverrides = Partial<
  Pick<
    InspectedRepository,
    | 'name'
    | 'version'
    | 'licence'
    | 'runner'
    | 'sourceFiles'
    | 'testFiles'
    | 'hiddenPaths'
    | 'dropPaths'
    | 'dependencies'
    | 'pythonModules'
    | 'configFile'
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
 * runner that this runtime has no reporter for, or a Python package that the system has installed, where an agent could
 * read it.
 */
export async function inspectRepository(options: InspectOptions): Promise<InspectedRepository> {
  const { overrides = {} } = options;
  assertRelativePaths(overrides);
  const given = await readRepositoryFiles({ directory: resolve(options.directory) });
  const { paths, texts, directory, notes: ownNotes } = await unwrapRepository(given);
  const manifest = parseNpmManifest(texts.get('package.json'));
  if (overrides.testFiles === undefined) assertOnePackage({ paths, texts, manifest, directory });
  const graph = moduleGraph({ texts, paths, manifest });
  const tests = findTests({ paths, texts, graph, manifest, directory, overrides });
  const python = tests.runner === 'pytest';
  const origin = describeOrigin({ manifest: python ? undefined : manifest, texts, given: given.texts, directory, overrides });
  const configuration = findConfiguration({ runner: tests.runner, paths, texts });
  const configFile = 'configFile' in overrides ? overrides.configFile : configuration.configFile;
  const needs = findNeeds({ options, directory, paths, texts, graph, manifest, configFile, ...tests });
  const hiddenPaths = overrides.hiddenPaths ?? findHiddenPaths({ paths, graph, testFiles: tests.testFiles });
  const sources = findSources({ paths, texts, graph, testFiles: tests.testFiles, hiddenPaths, sourceFiles: overrides.sourceFiles });
  if (sources.sourceFiles.length === 0) throw refuse(directory, 'no source file was found beside its tests');
  const unread = manifest === undefined && texts.has('package.json') ? ['package.json is no JSON object and was not used'] : [];
  return {
    directory,
    ...{ name: origin.name, version: origin.version, licence: origin.licence },
    languages: [...new Set(sources.sourceFiles.map(languageOf).filter((language) => language !== undefined))].sort(),
    runner: tests.runner,
    sourceFiles: sources.sourceFiles,
    testFiles: needs.testFiles,
    hiddenPaths,
    dropPaths: overrides.dropPaths ?? sources.dropPaths,
    dependencies: overrides.dependencies ?? needs.dependencies,
    configFile,
    pythonModules: overrides.pythonModules ?? needs.pythonModules,
    missing: needs.missing,
    notes: [...ownNotes, ...unread, ...origin.notes, tests.note, ...configuration.notes, ...needs.notes, ...sources.notes],
  };
}

/** What the steps of an inspection share. */
interface Inspected {
  readonly directory: string;
  readonly paths: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  readonly manifest: NpmManifest | undefined;
}

function assertRelativePaths(overrides: RepositoryOverrides): void {
  const { sourceFiles = [], testFiles = [], hiddenPaths = [], dropPaths = [] } = overrides;
  const wrong = [...sourceFiles, ...testFiles, ...hiddenPaths, ...dropPaths].find((path) => !relativePathSchema.safeParse(path).success);
  if (wrong === undefined) return;
  throw new TadpoleError({ code: 'invalid-input', message: `expected paths relative to the repository, got ${JSON.stringify(wrong)}` });
}

function assertOnePackage({ directory, ...repository }: Inspected): void {
  const nested = nestedPackages(repository);
  if (nested.length === 0) return;
  const names = `${nested.slice(0, 5).join(', ')}${nested.length > 5 ? ', …' : ''}`;
  throw refuse(directory, `it holds several packages; give one of them: ${names}`);
}

function findTests(options: Inspected & { graph: ModuleGraph; overrides: RepositoryOverrides }): {
  runner: TestRunner;
  testFiles: readonly string[];
  note: string;
} {
  const { directory, paths, overrides } = options;
  const candidates = overrides.testFiles ?? paths.filter((path) => isTestPath(path) && languageOf(path) !== undefined);
  const { runner, testFiles: found, reason } = findTestRunner({ ...options, candidates, runner: overrides.runner });
  if (runner === undefined) throw refuse(directory, `${reason}; the runners are node:test, tape, mocha, vitest, jest and pytest`);
  const testFiles = overrides.testFiles ?? found;
  if (testFiles.length === 0) throw refuse(directory, `no test file of ${runner} was found`);
  return { runner, testFiles, note: `runner: ${reason}` };
}

/** What tests and sources need from outside, and the test files that can do with what there is. */
function findNeeds(
  options: Inspected & {
    options: InspectOptions;
    graph: ModuleGraph;
    runner: TestRunner;
    testFiles: readonly string[];
    configFile: string | undefined;
  },
): FoundDependencies & { testFiles: readonly string[]; notes: readonly string[] } {
  const { directory, paths, texts, graph, manifest, runner, testFiles, configFile } = options;
  const { pythonPackages, nodeModules, systemPackages = systemPackageFolders(), overrides } = options.options;
  const python = runner === 'pytest';
  const own = topModules(paths);
  const copy = python ? installedCopy({ own, systemPackages }) : undefined;
  if (copy !== undefined)
    throw refuse(directory, `its module ${copy} is installed on this system, where an agent could read it; remove that copy`);
  const reached = reachedFiles(graph, configFile === undefined ? testFiles : [...testFiles, configFile]);
  const found = python
    ? findPythonDependencies({ reached, graph, systemPackages, pythonPackages, own })
    : findNpmDependencies({ reached, graph, runner, manifest, nodeModules: nodeModules ?? ownFolder(join(directory, 'node_modules')) });
  const lacking = [
    ...lackingPackages({ testFiles, graph, missing: found.missing }),
    ...(python ? missingFixtures({ testFiles, texts }) : []),
  ];
  const aside = overrides?.testFiles === undefined ? lacking : [];
  const spared = found.missing.filter(({ optional }) => optional).map(({ name }) => name);
  const notes = aside.map(({ path, lacks }) => `${path} is not run: it needs ${lacks}, which is not installed`);
  if (spared.length > 0) notes.push(`not installed, and the code that imports it says it can do without: ${spared.join(', ')}`);
  return { ...found, testFiles: testFiles.filter((path) => !aside.some((file) => file.path === path)), notes };
}

function ownFolder(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

function refuse(directory: string, why: string): TadpoleError {
  const message = `expected ${basename(directory)} to be a repository that tasks can be made of, but ${why}`;
  return new TadpoleError({ code: 'invalid-input', message });
}
