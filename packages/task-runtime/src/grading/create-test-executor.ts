import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  relativePathSchema,
  type SandboxLimits,
  type SandboxProvider,
  type SpanEdit,
  TadpoleError,
  type TestExecutor,
  type TestRun,
} from '@tadpole/contracts';
import { applySpanEdits } from '../snapshots/apply-span-edits.js';
import type { DependencyStore } from '../snapshots/create-dependency-store.js';
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
      const files = await editedFiles(snapshot.directory, edits);
      const run = await runTestFiles({
        provider: options.provider,
        environment: { workspace: snapshot.directory, readOnlyMounts: [{ source: dependencies, target: '/node_modules' }] },
        prepare: async (sandbox) => {
          for (const [file, text] of Object.entries(files)) await sandbox.writeFile(file, text, { signal });
          return undefined;
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

async function editedFiles(directory: string, edits: readonly SpanEdit[]): Promise<Record<string, string>> {
  const byFile = new Map<string, SpanEdit[]>();
  for (const edit of edits) byFile.set(relativePathSchema.parse(edit.file), [...(byFile.get(edit.file) ?? []), edit]);
  const files: Record<string, string> = {};
  for (const [file, own] of byFile) {
    const text = await readFile(join(directory, file), 'utf8').catch((cause: Error) => {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `expected the edited file ${file} in the snapshot, got: ${cause.message}`,
        cause,
      });
    });
    files[file] = applySpanEdits(text, own);
  }
  return files;
}

function withLoadErrors(output: string, tests: readonly { file: string; message?: string | undefined }[] | null): string {
  return [...(tests ?? []).map(({ file, message }) => `${file} could not be loaded: ${message ?? ''}`), output].join('\n').trim();
}

/** The package of a `name@version` source. */
export function packageName(source: string): string {
  const at = source.lastIndexOf('@');
  return at > 0 ? source.slice(0, at) : source;
}
