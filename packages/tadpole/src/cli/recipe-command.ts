import { setMaxListeners } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isTadpoleError, TadpoleError } from '@tadpole/contracts';
import { createRedactor } from '@tadpole/leaf-harness';
import { createNamespaceProvider, reapStaleSandboxes } from '@tadpole/task-runtime';
import { createExecutionVerifier } from '../audit/create-execution-verifier.js';
import { climb } from '../climb/climb.js';
import { createProgressSink } from '../progress/progress-sink.js';
import { recipeConfiguration } from '../recipe/recipe-configuration.js';
import { resultText, runResult } from '../report/run-result.js';
import { writeReportFile } from '../report/write-report-file.js';
import { overrideConfiguration, readOverrides } from '../run/configuration.js';
import { findNewestRun } from '../run/find-run.js';
import { type OpenedEngine, openEngine } from '../run/open-engine.js';
import { createRun, type RunStore, resumeRun } from '../run/run-store.js';
import { assertInstalled } from './assert-installed.js';
import { environmentSecrets } from './environment-secrets.js';
import { findNodeModules } from './find-node-modules.js';
import { installedVersions } from './installed-versions.js';

/** Flags of `tadpole run`. */
export interface RecipeFlags {
  readonly budget: 'small' | 'full';
  readonly seed?: number;
  readonly resume?: string | true;
  readonly config?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/**
 * Runs or resumes the recipe, shows its progress on standard error, and prints the result and the report's path.
 * An interrupt ends it with the journal intact.
 *
 * @throws TadpoleError
 */
export async function runRecipe(flags: RecipeFlags): Promise<void> {
  const now = () => new Date();
  const store = flags.resume === undefined ? newRun({ flags, now }) : oldRun(flags);
  const interrupt = new AbortController();
  // Every rollout in flight listens to it.
  setMaxListeners(0, interrupt.signal);
  // Once interrupted it stays to the end: another signal must not end the process before all is cleaned up and said.
  const stop = () => {
    if (interrupt.signal.aborted) process.stderr.write('Already stopping; a moment.\n');
    interrupt.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const progress = createProgressSink({ stream: process.stderr, configuration: store.configuration, now });
  try {
    await runClimb({ store, progress, now, signal: interrupt.signal });
  } finally {
    if (!interrupt.signal.aborted) process.off('SIGINT', stop).off('SIGTERM', stop);
    progress.close();
    store.close();
  }
  const report = await writeReportFile({ directory: store.directory });
  const result = runResult({ directory: store.directory });
  process.stdout.write(flags.json ? `${JSON.stringify({ ...result, report })}\n` : `\n${resultText(result)}\nreport: ${report}\n`);
}

async function runClimb(options: {
  store: RunStore;
  progress: ReturnType<typeof createProgressSink>;
  now: () => Date;
  signal: AbortSignal;
}): Promise<void> {
  const { store, progress, now, signal } = options;
  const scratchDirectory = store.folder('scratch');
  await reapStaleSandboxes({ scratchDirectory });
  const provider = createNamespaceProvider({ scratchDirectory });
  const nodeModules = findNodeModules();
  const verifier = createExecutionVerifier({ nodeModules });
  let policy: OpenedEngine | undefined;
  try {
    const { engine = { kind: 'embedded' as const }, seed } = store.configuration;
    policy = await openEngine({ engine, seed, environment: process.env, signal });
    const { client, renderer } = policy;
    const redactor = createRedactor({ secrets: environmentSecrets(process.env) });
    const { verify } = verifier;
    const events = climb({ store, client, renderer, provider, redactor, nodeModules, verify, now, signal });
    for await (const event of events) await progress.emit(event);
  } catch (error) {
    recordEnd({ store, error, signal, now });
    throw signal.aborted ? interrupted(store) : withResume(error, store);
  } finally {
    await policy?.close();
    await verifier.close();
    await provider.disposeAll();
    // What is left are prepared bases, which a resumed run prepares again.
    rmSync(scratchDirectory, { recursive: true, force: true });
  }
}

function recordEnd(options: { store: RunStore; error: unknown; signal: AbortSignal; now: () => Date }): void {
  const reason = options.signal.aborted ? ('interrupted' as const) : ('failed' as const);
  try {
    options.store.journal.append({ type: 'run-end', at: options.now().toISOString(), reason, detail: (options.error as Error).message });
  } catch {
    // The disk that refused the event refuses its epitaph too; the error itself reaches the caller.
  }
}

function interrupted(store: RunStore): TadpoleError {
  return new TadpoleError({
    code: 'aborted',
    message: `Interrupted. What was finished is kept; go on with: npm run recipe -- --resume ${store.directory}`,
  });
}

/** What failed on the way and can be taken up again, with the command that does it; a system call's error as one of storage. */
function withResume(error: unknown, { directory }: RunStore): unknown {
  const isSystem = error instanceof Error && 'syscall' in error;
  if (!isSystem && !(isTadpoleError(error) && ['engine', 'sandbox', 'storage'].includes(error.code))) return error;
  const said = isSystem ? `Expected to write below ${directory}, got: ${error.message}` : error.message;
  const message = `${said}\nWhat was finished is kept; when the cause is mended, go on with: npm run recipe -- --resume ${directory}`;
  return new TadpoleError({ code: isSystem ? 'storage' : error.code, message, cause: error });
}

function newRun(options: { flags: RecipeFlags; now: () => Date }): RunStore {
  const { flags, now } = options;
  if (flags.out === '') throw new TadpoleError({ code: 'invalid-config', message: '--out: expected a folder, got an empty text' });
  const base = recipeConfiguration(flags.budget);
  const overrides = flags.config === undefined ? {} : readOverrides(flags.config);
  const source = flags.config === undefined ? 'configuration' : `--config ${flags.config}`;
  const configured = overrideConfiguration({ base, overrides, source });
  const configuration = flags.seed === undefined ? configured : { ...configured, seed: flags.seed };
  const stamp = now().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  const runId = `${flags.budget}-seed${configuration.seed}-${stamp}`;
  assertInstalled({ configuration, nodeModules: findNodeModules() });
  return createRun({ directory: resolve(flags.out ?? join('runs', runId)), runId, configuration, versions: installedVersions(), now });
}

function oldRun(flags: RecipeFlags): RunStore {
  if (flags.config !== undefined || flags.seed !== undefined) {
    throw new TadpoleError({
      code: 'invalid-config',
      message: 'Expected --resume without --config and --seed: a run is finished with the configuration it began with.',
    });
  }
  if (typeof flags.resume === 'string' && flags.out !== undefined) {
    throw new TadpoleError({ code: 'invalid-config', message: 'Expected the folder of the run with --resume or with --out, got both.' });
  }
  const directory = typeof flags.resume === 'string' ? flags.resume : (flags.out ?? findNewestRun(resolve('runs')));
  return resumeRun({ directory: resolve(directory) });
}
