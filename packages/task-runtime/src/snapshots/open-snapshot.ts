import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { relativePathSchema, type Snapshot, TadpoleError, type TestExecutor, type TestRunner } from '@tadpole/contracts';
import { runnerPackage } from '../grading/test-runners.js';
import { hashTree } from '../hash-tree.js';
import { copyRepository } from './copy-repository.js';
import { parseNpmManifest } from './inspection/npm-manifest.js';
import type { SetAsideTest } from './judge-runs.js';
import { measureBaseline, refuse } from './measure-baseline.js';

/** A snapshot with the tests that were set aside when it was opened. */
export interface OpenedSnapshot extends Snapshot {
  /** Tests that were skipped, fail always, or passed in some runs and not in others; each with its first result that was no pass. */
  readonly setAside: readonly SetAsideTest[];
}

/** Options of {@link openSnapshot}. */
export interface OpenSnapshotOptions {
  /** For instance `node_modules/qs`. */
  packageDirectory: string;
  /** @default what `package.json` says */
  name?: string | undefined;
  /** @default what `package.json` says */
  version?: string | undefined;
  /** SPDX expression. @default what `package.json` says */
  licence?: string | undefined;
  runner: TestRunner;
  /** Files that a generator may change. */
  sourceFiles: readonly string[];
  testFiles: readonly string[];
  /** Files and folders for the grader alone. */
  hiddenPaths: readonly string[];
  /** Files and folders to leave out: built copies, bundles, anything that holds the answer. */
  dropPaths: readonly string[];
  dependencies: readonly { readonly name: string; readonly version: string }[];
  /** Files and folders of this machine to lay beside the sources: Python modules that the system lacks. @default none */
  beside?: readonly string[] | undefined;
  /** The runner's own configuration, relative, where the tests need it. @default none is read */
  configFile?: string | undefined;
  /** Folder to make; replaced when present. */
  into: string;
  executor: TestExecutor;
  /** Runs in the suite's own order. @default 3 */
  runs?: number | undefined;
  /** Seed of the one run in another order. @default 1 */
  seed?: number | undefined;
  /** Wall time of one run of the suite. @default 60000 */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Makes a snapshot of a package, of npm or of Python: copies it without built copies of itself, runs its own suite several
 * times untouched, once with its files in another order, and keeps the tests that pass every time. Time zone, language
 * and hash seed are the executor's, the same in every run.
 *
 * @throws TadpoleError `invalid-input` for a package without tests, without a licence, or whose suite is broken: see
 * `measureBaseline` (the message carries its output); `sandbox` and `aborted` as the executor throws them.
 */
export async function openSnapshot(options: OpenSnapshotOptions): Promise<OpenedSnapshot> {
  const { sourceFiles, testFiles, hiddenPaths, runner, dependencies } = options;
  const { configFile: configuration = [] } = options;
  for (const path of [...sourceFiles, ...testFiles, ...hiddenPaths, ...options.dropPaths].concat(configuration)) assertRelative(path);
  const { name, version, licence } = readOrigin(options);
  const source = `${name}@${version}`;
  if (licence === undefined) throw refuse(source, 'no licence was found for it; state the one that it is under (tadpole synth: --licence)');
  if (testFiles.length === 0) throw refuse(source, 'no test file is named, and its tests are what grades a task');
  const framework = runnerPackage(runner);
  if (framework !== undefined && !dependencies.some((dependency) => dependency.name === framework))
    throw refuse(source, `its runner is ${runner}, and ${framework} is not among its dependencies`);
  const directory = resolve(options.into);
  await copyRepository({ from: options.packageDirectory, to: directory, dropPaths: options.dropPaths, beside: options.beside });
  for (const file of [...sourceFiles, ...testFiles, ...hiddenPaths].concat(configuration)) {
    if (!existsSync(join(directory, file))) throw refuse(source, `${file} is not in it`);
  }
  const snapshot = {
    ...{ source, licence, directory, hash: await hashTree(directory), runner },
    ...{ sourceFiles, testFiles, hiddenPaths, dependencies, baseline: [] },
    ...(options.configFile === undefined ? {} : { configFile: options.configFile }),
  };
  const measured = await measureBaseline({
    ...{ snapshot, executor: options.executor, runs: options.runs ?? 3, seed: options.seed ?? 1 },
    ...{ timeoutMs: options.timeoutMs ?? 60_000, signal: options.signal },
  });
  return { ...snapshot, ...measured };
}

function readOrigin(options: OpenSnapshotOptions): { name: string; version: string; licence: string | undefined } {
  const path = join(options.packageDirectory, 'package.json');
  const manifest = existsSync(path) ? parseNpmManifest(readFileSync(path, 'utf8')) : undefined;
  const name = options.name ?? manifest?.name;
  const version = options.version ?? manifest?.version;
  if (name === undefined || version === undefined) {
    const message = `expected an npm package with name and version at ${options.packageDirectory}, or both as options`;
    throw new TadpoleError({ code: 'invalid-input', message });
  }
  return { name, version, licence: options.licence ?? manifest?.license };
}

function assertRelative(path: string): void {
  if (!relativePathSchema.safeParse(path).success) {
    throw new TadpoleError({ code: 'invalid-input', message: `expected paths relative to the package, got ${JSON.stringify(path)}` });
  }
}
