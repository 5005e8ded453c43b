import { existsSync, readFileSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { relativePathSchema, type Snapshot, TadpoleError, type TestExecutor, type TestResult, type TestRunner } from '@tadpole/contracts';
import { z } from 'zod';
import { runnerPackage } from '../grading/test-runners.js';
import { hashTree } from '../hash-tree.js';

/** A snapshot with the tests that were set aside when it was opened. */
export interface OpenedSnapshot extends Snapshot {
  /** Results of tests that were skipped, or passed in some runs and not in others; each with its first result that was no pass. */
  readonly setAside: readonly TestResult[];
}

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.object({ type: z.string() })]).optional(),
});

/**
 * Makes a snapshot of an installed npm package: copies it without built copies of itself, runs its own suite several
 * times untouched, and keeps the tests that pass every time. Flaky and skipped tests are set aside; one that fails every time is a broken suite.
 *
 * @throws TadpoleError `invalid-input` for a package without tests, without a licence, or whose suite fails untouched
 * (the message carries its output); `sandbox` and `aborted` as the executor throws them.
 */
export async function openSnapshot(options: {
  /** For instance `node_modules/qs`. */
  packageDirectory: string;
  runner: TestRunner;
  /** Files that a generator may change. */
  sourceFiles: readonly string[];
  testFiles: readonly string[];
  /** Files and folders for the grader alone. */
  hiddenPaths: readonly string[];
  /** Files and folders to leave out: built copies, bundles, anything that holds the answer. */
  dropPaths: readonly string[];
  dependencies: readonly { readonly name: string; readonly version: string }[];
  /** Folder to make; replaced when present. */
  into: string;
  executor: TestExecutor;
  /** @default 3 */
  runs?: number;
  /** Wall time of one run of the suite. @default 60000 */
  timeoutMs?: number;
  signal?: AbortSignal;
}): Promise<OpenedSnapshot> {
  const { sourceFiles, testFiles, hiddenPaths, runs = 3 } = options;
  for (const path of [...sourceFiles, ...testFiles, ...hiddenPaths, ...options.dropPaths]) assertRelative(path);
  const manifest = readManifest(options.packageDirectory);
  const source = `${manifest.name}@${manifest.version}`;
  const licence = typeof manifest.license === 'string' ? manifest.license : manifest.license?.type;
  if (licence === undefined) throw refuse(source, 'its package.json names no licence');
  if (testFiles.length === 0) throw refuse(source, 'no test file is named, and its tests are what grades a task');
  const framework = runnerPackage(options.runner);
  if (framework !== undefined && !options.dependencies.some(({ name }) => name === framework))
    throw refuse(source, `its runner is ${options.runner}, and ${framework} is not among its dependencies`);
  const directory = resolve(options.into);
  assertApart({ from: resolve(options.packageDirectory), to: directory });
  await copyPackage({ from: resolve(options.packageDirectory), to: directory, dropPaths: options.dropPaths });
  for (const file of [...sourceFiles, ...testFiles, ...hiddenPaths]) {
    if (!existsSync(join(directory, file))) throw refuse(source, `${file} is not in it`);
  }
  const snapshot = {
    ...{ source, licence, directory, hash: await hashTree(directory), runner: options.runner },
    ...{ sourceFiles, testFiles, hiddenPaths, dependencies: options.dependencies, baseline: [] },
  };
  const results: (readonly TestResult[])[] = [];
  let output = '';
  for (let run = 0; run < runs; run += 1) {
    const { signal } = options;
    const outcome = await options.executor.execute({
      snapshot,
      edits: [],
      timeoutMs: options.timeoutMs ?? 60_000,
      signal,
    });
    output = outcome.output;
    if (outcome.status !== 'completed') throw refuse(source, `its suite ${outcome.status} untouched. Its output:\n${outcome.output}`);
    results.push(outcome.tests);
  }
  const { baseline, setAside } = splitStable(results);
  const broken = setAside.filter(({ id }) => results.every((tests) => tests.some((test) => test.id === id && test.status === 'failed')));
  if (broken.length > 0) {
    const names = broken.slice(0, 5).map(({ id }) => id);
    throw refuse(
      source,
      `${broken.length} of its tests fail in all of ${runs} untouched runs (${names.join(', ')}). Its output:\n${output}`,
    );
  }
  if (baseline.length === 0) throw refuse(source, `none of its tests passed in all of ${runs} untouched runs. Its output:\n${output}`);
  return { ...snapshot, baseline, setAside };
}

/** Tests that passed in every run, and the others with the first result that was not a pass. */
function splitStable(runs: readonly (readonly TestResult[])[]): { baseline: readonly TestResult[]; setAside: readonly TestResult[] } {
  const byRun = runs.map((tests) => new Map(tests.map((test) => [test.id, test])));
  const baseline: TestResult[] = [];
  const setAside: TestResult[] = [];
  for (const [id, test] of new Map(runs.flat().map((result) => [result.id, result]))) {
    const own = byRun.map((results) => results.get(id) ?? { ...test, status: 'missing' as const });
    const worst = own.find(({ status }) => status !== 'passed');
    if (worst === undefined) baseline.push(test);
    else setAside.push(worst);
  }
  return { baseline, setAside };
}

async function copyPackage(options: { from: string; to: string; dropPaths: readonly string[] }): Promise<void> {
  const draft = `${options.to}.draft`;
  await rm(draft, { recursive: true, force: true });
  const drop = new Set(options.dropPaths.map((path) => path.replace(/\/+$/, '')));
  const filter = (path: string) => {
    const name = basename(path);
    return path === options.from || !(name === 'node_modules' || name === '.git' || drop.has(relative(options.from, path)));
  };
  await cp(options.from, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter });
  await rm(options.to, { recursive: true, force: true });
  await rename(draft, options.to);
}

function readManifest(directory: string): z.infer<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')));
  } catch (cause) {
    throw new TadpoleError({ code: 'invalid-input', message: `expected an npm package with name and version at ${directory}`, cause });
  }
}

/** `into` is replaced, so it must neither be the package, hold it, nor lie in it. */
function assertApart({ from, to }: { from: string; to: string }): void {
  if (from !== to && !from.startsWith(`${to}/`) && !to.startsWith(`${from}/`)) return;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `expected a folder apart from the package to copy it into, got ${to} for ${from}`,
  });
}

function assertRelative(path: string): void {
  if (!relativePathSchema.safeParse(path).success) {
    throw new TadpoleError({ code: 'invalid-input', message: `expected paths relative to the package, got ${JSON.stringify(path)}` });
  }
}

function refuse(source: string, why: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `expected ${source} to be usable as a snapshot, but ${why}` });
}
