import { type Sandbox, type SandboxLimits, type SandboxProvider, TadpoleError, type TestExecutor, type TestRun } from '@tadpole/contracts';
import type { DependencyStore } from '../snapshots/create-dependency-store.js';
import { editedFiles } from '../snapshots/edited-files.js';
import type { PreparationFailure } from './apply-patch.js';
import { quote } from './grading-preparation.js';
import { runTestFiles, shortOutput } from './run-test-files.js';

/**
 * Runs test files of snapshots with edits, each time in a fresh sandbox and all files in one process. The snapshot's
 * tree is shared copy-on-write and edited files are written over it, so an execution costs little over its process.
 *
 * A failed test never throws: see {@link TestRun}. A run in which no test reported at all counts as crashed.
 */
export function createTestExecutor(options: {
  provider: SandboxProvider;
  dependencyStore: DependencyStore;
  limits: SandboxLimits;
}): TestExecutor {
  return {
    async execute({ snapshot, edits, testFiles = snapshot.testFiles, timeoutMs, signal }): Promise<TestRun> {
      const dependencies = await options.dependencyStore.directoryFor(snapshot.dependencies, { exclude: packageName(snapshot.source) });
      const files = await editedFiles({ directory: snapshot.directory, edits });
      const run = await runTestFiles({
        provider: options.provider,
        environment: { workspace: snapshot.directory, readOnlyMounts: [{ source: dependencies, target: '/node_modules' }] },
        prepare: async (sandbox) => {
          for (const { path, text } of files) if (text !== null) await sandbox.writeFile(path, text, { signal });
          return removeFiles({ sandbox, paths: files.filter(({ text }) => text === null).map(({ path }) => path), signal });
        },
        limits: options.limits,
        runner: snapshot.runner,
        testFiles,
        configFile: snapshot.configFile,
        timeoutMs,
        signal,
      });
      const { durationMs } = run.result;
      const output = shortOutput(run.result);
      if (run.result.timedOut) return { status: 'timed-out', output, durationMs };
      if (run.kind !== 'started') {
        throw new TadpoleError({
          code: 'sandbox',
          message: `expected the test process of ${snapshot.source} to start, got exit ${run.result.exitCode}: ${output}`,
        });
      }
      if (run.tests === null || run.tests.every(({ name }) => name === '(load)'))
        return { status: 'crashed', output: withLoadErrors(output, run.tests), durationMs };
      return { status: 'completed', tests: run.tests, output, durationMs };
    },
  };
}

async function removeFiles(options: {
  sandbox: Sandbox;
  paths: readonly string[];
  signal: AbortSignal | undefined;
}): Promise<PreparationFailure | undefined> {
  const { sandbox, paths, signal } = options;
  if (paths.length === 0) return undefined;
  const result = await sandbox.run({ command: `rm -f -- ${paths.map((path) => quote(`./${path}`)).join(' ')}`, signal });
  return result.exitCode === 0 ? undefined : { by: 'grader', result };
}

function withLoadErrors(output: string, tests: readonly { file: string; message?: string | undefined }[] | null): string {
  return [...(tests ?? []).map(({ file, message }) => `${file} could not be loaded: ${message ?? ''}`), output].join('\n').trim();
}

/** The package of a `name@version` source. */
export function packageName(source: string): string {
  const at = source.lastIndexOf('@');
  return at > 0 ? source.slice(0, at) : source;
}
