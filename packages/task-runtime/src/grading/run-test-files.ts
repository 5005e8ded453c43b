import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunResult, SandboxEnvironment, SandboxLimits, SandboxProvider, TestResult, TestRunner } from '@tadpole/contracts';
import { assetsDirectory } from '../assets-directory.js';
import { runtimeFolder } from '../namespaces/system-view.js';
import { quote } from './grading-preparation.js';
import { readTestReport } from './read-test-report.js';
import { testRunner } from './test-runners.js';

/** What a sandboxed run of test files gave, before it is interpreted. */
export interface TestFilesRun {
  readonly result: RunResult;
  /** False when the process never came to the point where it would load the first test file. */
  readonly started: boolean;
  /** `null` without a readable, finished report. */
  readonly tests: readonly TestResult[] | null;
}

/**
 * Runs test files in one process of a fresh sandbox and reads the report that its runner wrote outside the workspace.
 *
 * Covered: forged output, forged report files, early exits; configuration, plugins and reporters of the workspace are
 * not read, except `configFile`, Python's conftest files and what those load. Not covered: code under test that patches
 * the test framework inside its own process.
 *
 * @throws TadpoleError `sandbox` when the boundary failed, `aborted` by the signal.
 */
export async function runTestFiles(options: {
  provider: SandboxProvider;
  /** With the packages at `/node_modules`. */
  environment: SandboxEnvironment;
  /** Files of this run alone to show inside, by their target; written for the run and removed with it. */
  files?: Readonly<Record<string, string>>;
  limits: SandboxLimits;
  runner: TestRunner;
  /** Relative to the workspace. */
  testFiles: readonly string[];
  /** The runner's configuration, relative to the workspace. @default none is read */
  configFile?: string;
  /** Shell commands that run in the workspace before the tests. */
  prepare?: string;
  timeoutMs: number;
  signal?: AbortSignal;
}): Promise<TestFilesRun> {
  const { environment, signal } = options;
  const workspace = environment.workspacePath ?? '/workspace';
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-tests-'));
  try {
    const reports = join(folder, 'reports');
    await mkdir(reports);
    // The code under test may write here but not list what others wrote.
    await chmod(folder, 0o711);
    await chmod(reports, 0o733);
    const mounts = [...(environment.readOnlyMounts ?? []), { source: assetsDirectory(), target: `${runtimeFolder}/assets` }];
    const prepare = `${runtimeFolder}/prepare`;
    // A file, since a long list of hidden files would not fit into one argument.
    const files = { ...options.files, ...(options.prepare === undefined ? {} : { [prepare]: options.prepare }) };
    for (const [index, [target, content]] of Object.entries(files).entries()) {
      const source = join(folder, `file-${index}`);
      await writeFile(source, content);
      mounts.push({ source, target });
    }
    const { command, environment: env } = testRunner({ runner: options.runner, assets: `${runtimeFolder}/assets` });
    const name = randomBytes(16).toString('hex');
    const key = randomBytes(32).toString('hex');
    const target = '/opt/reports';
    const sandbox = await options.provider.open({
      environment: {
        ...environment,
        readOnlyMounts: mounts,
        writableMounts: [...(environment.writableMounts ?? []), { source: reports, target }],
      },
      limits: options.limits,
      signal,
    });
    let result: RunResult;
    try {
      result = await sandbox.run({
        command: `${options.prepare === undefined ? '' : `. ${prepare}\n`}exec ${command.map(quote).join(' ')}`,
        stdin: JSON.stringify({
          ...{ path: `${target}/${name}`, key, workspace, files: options.testFiles, configFile: options.configFile },
          node_modules: '/node_modules',
        }),
        env,
        timeoutMs: options.timeoutMs,
        signal,
      });
    } finally {
      await sandbox.dispose();
    }
    const report = join(reports, name);
    return { result, started: existsSync(`${report}.started`), tests: await readTestReport({ path: report, key }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Head and tail of what a run printed, for a person. */
export function shortOutput(result: RunResult, length = 8000): string {
  const text = [result.stdout, result.stderr].filter((part) => part !== '').join('\n');
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters left out]\n${text.slice(-half)}`;
}
