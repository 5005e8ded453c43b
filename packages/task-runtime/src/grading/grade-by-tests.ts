import { existsSync } from 'node:fs';
import type { Outcome, Sandbox, SandboxEnvironment, SandboxProvider, Task, TestResult, TestsVerifier } from '@tadpole/contracts';
import { listTree } from '../hash-tree.js';
import { runtimeFolder } from '../namespaces/system-view.js';
import { taskFolder } from '../tasks/task-folder.js';
import { applyPatch, outgrew, type PreparationFailure } from './apply-patch.js';
import { filesExit, gradingPreparation } from './grading-preparation.js';
import { runTestFiles, shortOutput } from './run-test-files.js';
import { runnerConfigurationPaths } from './runner-configuration.js';
import { runsInNode } from './test-runners.js';

/** Grades by named tests; see `createGrader`. @throws TadpoleError `sandbox` when the boundary failed, `aborted`. */
export async function gradeByTests(options: {
  provider: SandboxProvider;
  environment: SandboxEnvironment;
  task: Task;
  verifier: TestsVerifier;
  patch: string;
  signal?: AbortSignal;
}): Promise<Outcome> {
  const { environment, verifier, patch, signal } = options;
  const folder = taskFolder(options.task.directory);
  const inside = { base: `${runtimeFolder}/base`, hidden: `${runtimeFolder}/hidden` };
  const hiddenFiles = existsSync(folder.hidden) ? (await listTree(folder.hidden)).map(({ path }) => path) : [];
  const baseFiles = (await listTree(folder.workspace)).map(({ path }) => path);
  const { readOnlyMounts = [] } = environment;
  const { timeoutMs } = verifier;
  const script = gradingPreparation({
    ...{ base: inside.base, hidden: inside.hidden, hiddenFiles, baseFiles },
    restoredPaths: restoredPaths({ verifier, baseFiles }),
    settlePackageNames: runsInNode(verifier.runner) ? `${runtimeFolder}/assets/settle-package-names.mjs` : undefined,
  });
  const run = await runTestFiles({
    provider: options.provider,
    environment: {
      ...environment,
      readOnlyMounts: [
        ...readOnlyMounts,
        { source: folder.workspace, target: inside.base },
        ...(hiddenFiles.length === 0 ? [] : [{ source: folder.hidden, target: inside.hidden }]),
      ],
    },
    limits: options.task.data.limits,
    ...{ runner: verifier.runner, testFiles: verifier.testFiles, configFile: verifier.configFile },
    prepare: async (sandbox) =>
      (await applyPatch({ sandbox, patch, timeoutMs, signal })) ?? (await layDown({ sandbox, script, patch, timeoutMs, signal })),
    timeoutMs,
    signal,
  });
  if (run.kind === 'unprepared' && run.by === 'patch')
    return score({ verifier, patchApplied: 0, tests: [], absence: `the patch was not applied: ${shortOutput(run.result, 500)}` });
  // Before the first test file is loaded nothing of the patch runs, so what fails until then is ours.
  if (run.kind !== 'started') {
    const { result } = run;
    if (result.timedOut) return unscored('grading-timeout', `no test was started within ${timeoutMs} ms`);
    return unscored('grader-failed', `exit ${result.exitCode} before the tests: ${shortOutput(result, 500)}`);
  }
  if (run.result.timedOut) return score({ verifier, patchApplied: 1, tests: [], absence: `the tests did not end within ${timeoutMs} ms` });
  const absence = run.tests === null ? `the tests left no report: ${shortOutput(run.result, 500)}` : undefined;
  return score({ verifier, patchApplied: 1, tests: run.tests ?? [], absence });
}

/** Runs the preparation from standard input, since a long list of hidden files would not fit into one argument. */
async function layDown(options: {
  sandbox: Sandbox;
  script: string;
  patch: string;
  timeoutMs: number;
  signal?: AbortSignal;
}): Promise<PreparationFailure | undefined> {
  const { sandbox, script, patch, timeoutMs, signal } = options;
  const command = `script=$(cat) && eval "$script"; exit ${filesExit}`;
  const result = await sandbox.run({ command, stdin: `${script}\nexit 0`, env: { LC_ALL: 'C.UTF-8' }, timeoutMs, signal });
  if (result.exitCode === 0) return undefined;
  return { by: patch !== '' && outgrew(result) ? 'patch' : 'grader', result };
}

/** Paths that grading has as the task's workspace has them: what the task protects, its test files, runner configuration. */
export function restoredPaths(options: { verifier: TestsVerifier; baseFiles: readonly string[] }): readonly string[] {
  const { protectedPaths, testFiles, configFile } = options.verifier;
  const own = [...protectedPaths, ...testFiles, ...(configFile === undefined ? [] : [configFile])];
  return [...new Set([...own, ...runnerConfigurationPaths(options.baseFiles)])];
}

function score(options: {
  verifier: TestsVerifier;
  patchApplied: 0 | 1;
  tests: readonly TestResult[];
  /** Why there is no report. @default there is one */
  absence?: string;
}): Outcome {
  const { failToPass, passToPass } = options.verifier;
  const byId = new Map(options.tests.map((test) => [test.id, test]));
  const named = (ids: readonly string[]) => ids.map((id) => byId.get(id) ?? missing({ id, ...options }));
  const fraction = (tests: readonly TestResult[]) =>
    tests.length === 0 ? 1 : tests.filter(({ status }) => status === 'passed').length / tests.length;
  const [fail, pass] = [named(failToPass), named(passToPass)];
  const components = { patchApplied: options.patchApplied, failToPass: fraction(fail), passToPass: fraction(pass) };
  const solved = options.patchApplied === 1 && components.failToPass === 1 && components.passToPass === 1;
  return { status: 'scored', reward: solved ? 1 : 0, components, tests: [...fail, ...pass] };
}

/** A test without a result, with what a person needs to find out why. */
function missing(options: { id: string; tests: readonly TestResult[]; absence?: string }): TestResult {
  const { id, tests, absence } = options;
  const [file = id, ...name] = id.split('::');
  const own = tests.filter((test) => test.file === file);
  const unloaded = own.find((test) => test.name === '(load)');
  const reported = (own.length > 0 ? own : tests).slice(0, 5).map((test) => test.id);
  const message =
    absence ??
    (unloaded
      ? `its file could not be loaded: ${unloaded.message ?? ''}`
      : `no test of this id reported; ${reported.join(', ') || 'none'} did`);
  return { id, file, name: name.join('::'), status: 'missing', message };
}

function unscored(reason: 'grader-failed' | 'grading-timeout', detail: string): Outcome {
  return { status: 'unscored', reason, boundary: 'grader', detail };
}
