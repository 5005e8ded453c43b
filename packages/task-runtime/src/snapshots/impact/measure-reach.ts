import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SandboxLimits, SandboxProvider, Snapshot } from '@tadpole/contracts';
import { z } from 'zod';
import { packageName } from '../../grading/create-test-executor.js';
import { runTestFiles } from '../../grading/run-test-files.js';
import { runtimeFolder } from '../../namespaces/system-view.js';
import { readBoundedFile } from '../../tasks/read-bounded-file.js';
import type { DependencyStore } from '../create-dependency-store.js';
import { type LineReach, mergeReach, type RunReach } from './line-reach.js';
import { readPythonReach } from './python-reach.js';
import { readV8Reach } from './v8-reach.js';

/** What a measurement runs with. */
export interface ReachOptions {
  readonly snapshot: Snapshot;
  readonly provider: SandboxProvider;
  readonly dependencyStore: DependencyStore;
  readonly limits: SandboxLimits;
  /** Wall time of one test file with its lines recorded, which may take several times as long as without. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const workspace = '/workspace';
const places = { folder: `${runtimeFolder}/reach`, tracer: `${runtimeFolder}/assets/line-tracer` } as const;
const largestRecord = 67_108_864;

/**
 * Runs one test file by itself and reads which lines of the sources it reached: by V8's coverage for Node.js, by a trace
 * function for Python. The record is written by the process under test, so it says what that process wants; it chooses
 * which tests run first and never what a test gives.
 *
 * @throws TadpoleError as the executor does.
 */
export async function measureReach(options: ReachOptions & { testFile: string }): Promise<RunReach> {
  const { snapshot, provider, dependencyStore, limits, timeoutMs, signal } = options;
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-reach-'));
  try {
    // The sandbox's user is another one.
    await chmod(folder, 0o777);
    const dependencies = await dependencyStore.directoryFor(snapshot.dependencies, { exclude: packageName(snapshot.source) });
    const { kind, ...run } = await runTestFiles({
      ...{ provider, limits, timeoutMs, signal, runner: snapshot.runner, testFiles: [options.testFile], configFile: snapshot.configFile },
      environment: {
        ...{ workspace: snapshot.directory, workspacePath: workspace },
        readOnlyMounts: [{ source: dependencies, target: '/node_modules' }],
        writableMounts: [{ source: folder, target: places.folder }],
        env: snapshot.runner === 'pytest' ? tracerVariables(snapshot) : { NODE_V8_COVERAGE: places.folder },
      },
    });
    if (kind !== 'started' || !('tests' in run) || run.tests === null) return undefined;
    return await readRecords(folder, snapshot);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function tracerVariables(snapshot: Snapshot): Readonly<Record<string, string>> {
  return {
    PYTHONPATH: places.tracer,
    TADPOLE_LINES: places.folder,
    TADPOLE_WORKSPACE: workspace,
    TADPOLE_HIDDEN: JSON.stringify(snapshot.hiddenPaths),
  };
}

/** What all processes of one run left; `undefined` when there is nothing, or one of them says too little. */
async function readRecords(folder: string, snapshot: Snapshot): Promise<RunReach> {
  const texts = new Map<string, string>();
  for (const file of snapshot.sourceFiles) texts.set(file, await readFile(join(snapshot.directory, file), 'utf8'));
  const parts: ReadonlyMap<string, LineReach>[] = [];
  const names = await readdir(folder);
  const scripts = await readScripts(folder, names);
  if (snapshot.runner === 'vitest' && scripts.size === 0) return undefined;
  for (const name of names.filter((one) => !one.startsWith('script-'))) {
    const text = await readBoundedFile({ path: join(folder, name), bytes: largestRecord });
    const part =
      typeof text !== 'string'
        ? undefined
        : snapshot.runner === 'pytest'
          ? readPythonReach(text)
          : readV8Reach({ text, workspace, textOf: (file) => texts.get(file), scriptOf: (url) => scripts.get(url) });
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts.length === 0 ? undefined : mergeReach(parts);
}

const scriptSchema = z.object({ url: z.string(), code: z.string() });

/** What vitest evaluated, by URL; a record that cannot be read is left out. */
async function readScripts(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const scripts = new Map<string, string>();
  for (const name of names.filter((one) => one.startsWith('script-'))) {
    const text = await readBoundedFile({ path: join(folder, name), bytes: largestRecord });
    const parsed = scriptSchema.safeParse(typeof text === 'string' ? parseJson(text) : undefined);
    if (parsed.success) scripts.set(asUrl(parsed.data.url), parsed.data.code);
  }
  return scripts;
}

function asUrl(name: string): string {
  return name.startsWith('/') ? pathToFileURL(name).href : name;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
