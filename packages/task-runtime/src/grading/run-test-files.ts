import { randomBytes } from 'node:crypto';
import {
  isTadpoleError,
  type RunResult,
  type Sandbox,
  type SandboxEnvironment,
  type SandboxLimits,
  type SandboxProvider,
  TadpoleError,
  type TestResult,
  type TestRunner,
} from '@tadpole/contracts';
import { assetsDirectory } from '../assets-directory.js';
import { runtimeFolder } from '../namespaces/system-view.js';
import type { PreparationFailure } from './apply-patch.js';
import { quote } from './grading-preparation.js';
import { readSandboxFile } from './read-sandbox-file.js';
import { readTestReport } from './read-test-report.js';
import { testRunner } from './test-runners.js';

/** What a sandboxed run of test files gave, before it is interpreted. */
export type TestFilesRun =
  | ({ readonly kind: 'unprepared' } & PreparationFailure)
  /** The process never came to the point where it would load the first test file. */
  | { readonly kind: 'not-started'; readonly result: RunResult }
  /** `tests` is `null` without a readable, authentic, finished report. */
  | { readonly kind: 'started'; readonly result: RunResult; readonly tests: readonly TestResult[] | null };

/**
 * Runs test files in one process of a fresh sandbox and reads the report that its runner wrote outside the workspace, in
 * the sandbox's own bounded storage. Nothing is written to this machine.
 *
 * A file with a secret lies beside the report until the runner removes it, right before it loads the first test file: code
 * under test can take a report away, and so lose its own, but cannot pretend that it never ran.
 *
 * Covered: forged output, forged report files, early exits; configuration, plugins and reporters of the workspace are
 * not read, except `configFile`, Python's conftest files and what those load. Not covered: code under test that patches
 * the test framework inside its own process, or takes the key from that process (by a debugger, its memory, or the frames
 * of Python).
 *
 * @throws TadpoleError `sandbox` when the boundary failed, `aborted` by the signal.
 */
export async function runTestFiles(options: {
  provider: SandboxProvider;
  /** With the packages at `/node_modules`. */
  environment: SandboxEnvironment;
  limits: SandboxLimits;
  runner: TestRunner;
  /** Relative to the workspace. */
  testFiles: readonly string[];
  /** The runner's configuration, relative to the workspace. @default none is read */
  configFile?: string;
  /** Makes the tree to test before anything of it runs; the tests do not run where it fails. @default nothing */
  prepare?: (sandbox: Sandbox) => Promise<PreparationFailure | undefined>;
  timeoutMs: number;
  signal?: AbortSignal;
}): Promise<TestFilesRun> {
  const { environment, timeoutMs, signal } = options;
  const workspace = environment.workspacePath ?? '/workspace';
  const { command, environment: env } = testRunner({ runner: options.runner, assets: `${runtimeFolder}/assets` });
  const [name, key, secret] = [16, 32, 32].map((bytes) => randomBytes(bytes).toString('hex')) as [string, string, string];
  const path = `/tmp/.reports-${name}/report`;
  const pending = `${path}.pending`;
  const sandbox = await options.provider.open({
    environment: {
      ...environment,
      readOnlyMounts: [...(environment.readOnlyMounts ?? []), { source: assetsDirectory(), target: `${runtimeFolder}/assets` }],
    },
    limits: options.limits,
    signal,
  });
  try {
    // First of all, so that a patch cannot take the room.
    await writeOwnFile({ sandbox, path: pending, content: secret, signal });
    const failure = await options.prepare?.(sandbox);
    if (failure !== undefined) return { kind: 'unprepared', ...failure };
    const channel = { path, key, workspace, files: options.testFiles, configFile: options.configFile, node_modules: '/node_modules' };
    const result = await sandbox.run({
      ...{ command: `exec ${command.map(quote).join(' ')}`, stdin: JSON.stringify(channel), env, timeoutMs, signal },
    });
    if ((await readSandboxFile({ sandbox, path: pending, signal })) === secret) return { kind: 'not-started', result };
    const text = await readSandboxFile({ sandbox, path, signal });
    return { kind: 'started', result, tests: typeof text === 'string' ? readTestReport({ text, key }) : null };
  } finally {
    await sandbox.dispose();
  }
}

/** Writes before anything hostile runs: what is refused then is the sandbox's failure. */
async function writeOwnFile(options: { sandbox: Sandbox; path: string; content: string; signal?: AbortSignal }): Promise<void> {
  const { sandbox, path, content, signal } = options;
  await sandbox.writeFile(path, content, { signal }).catch((cause: Error) => {
    if (!isTadpoleError(cause) || cause.code !== 'invalid-input') throw cause;
    throw new TadpoleError({ code: 'sandbox', message: `expected a fresh sandbox to take ${path}, got: ${cause.message}`, cause });
  });
}

/** Head and tail of what a run printed, for a person. */
export function shortOutput(result: RunResult, length = 8000): string {
  const text = [result.stdout, result.stderr].filter((part) => part !== '').join('\n');
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters left out]\n${text.slice(-half)}`;
}
