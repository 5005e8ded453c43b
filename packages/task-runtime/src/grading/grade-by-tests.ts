import { existsSync } from 'node:fs';
import type { Outcome, SandboxEnvironment, SandboxProvider, Task, TestResult, TestsVerifier } from '@tadpole/contracts';
import { listTree } from '../hash-tree.js';
import { runtimeFolder } from '../namespaces/system-view.js';
import { taskFolder } from '../tasks/task-folder.js';
import { gradingPreparation, preparationExits } from './grading-preparation.js';
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
  const { environment, verifier, patch } = options;
  const folder = taskFolder(options.task.directory);
  const inside = { patch: `${runtimeFolder}/patch`, base: `${runtimeFolder}/base`, hidden: `${runtimeFolder}/hidden` };
  const hiddenFiles = existsSync(folder.hidden) ? (await listTree(folder.hidden)).map(({ path }) => path) : [];
  const baseFiles = (await listTree(folder.workspace)).map(({ path }) => path);
  const { readOnlyMounts = [] } = environment;
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
    files: patch === '' ? {} : { [inside.patch]: patch },
    limits: options.task.data.limits,
    ...{ runner: verifier.runner, testFiles: verifier.testFiles, configFile: verifier.configFile },
    prepare: gradingPreparation({
      ...(patch === '' ? {} : { patch: inside.patch }),
      ...{ base: inside.base, hidden: inside.hidden, hiddenFiles, baseFiles },
      restoredPaths: restoredPaths({ verifier, baseFiles }),
      settlePackageNames: runsInNode(verifier.runner) ? `${runtimeFolder}/assets/settle-package-names.mjs` : undefined,
    }),
    timeoutMs: verifier.timeoutMs,
    signal: options.signal,
  });
  if (!run.started && run.result.exitCode === preparationExits.patch) return score({ verifier, patchApplied: 0, tests: [] });
  // Before the first test file is loaded nothing of the patch runs, so what fails until then is ours.
  if (!run.started && !run.result.timedOut)
    return unscored('grader-failed', `exit ${run.result.exitCode} before the tests: ${shortOutput(run.result, 500)}`);
  if (!run.started) return unscored('grading-timeout', `no test was started within ${verifier.timeoutMs} ms`);
  return score({ verifier, patchApplied: 1, tests: run.result.timedOut ? [] : (run.tests ?? []) });
}

/** Paths that grading has as the task's workspace has them: what the task protects, its test files, runner configuration. */
export function restoredPaths(options: { verifier: TestsVerifier; baseFiles: readonly string[] }): readonly string[] {
  const { protectedPaths, testFiles, configFile } = options.verifier;
  const own = [...protectedPaths, ...testFiles, ...(configFile === undefined ? [] : [configFile])];
  return [...new Set([...own, ...runnerConfigurationPaths(options.baseFiles)])];
}

function score(options: { verifier: TestsVerifier; patchApplied: 0 | 1; tests: readonly TestResult[] }): Outcome {
  const { failToPass, passToPass } = options.verifier;
  const byId = new Map(options.tests.map((test) => [test.id, test]));
  const named = (ids: readonly string[]) => ids.map((id) => byId.get(id) ?? missing(id));
  const fraction = (tests: readonly TestResult[]) =>
    tests.length === 0 ? 1 : tests.filter(({ status }) => status === 'passed').length / tests.length;
  const [fail, pass] = [named(failToPass), named(passToPass)];
  const components = { patchApplied: options.patchApplied, failToPass: fraction(fail), passToPass: fraction(pass) };
  const solved = options.patchApplied === 1 && components.failToPass === 1 && components.passToPass === 1;
  return { status: 'scored', reward: solved ? 1 : 0, components, tests: [...fail, ...pass] };
}

function missing(id: string): TestResult {
  const [file = id, ...name] = id.split('::');
  return { id, file, name: name.join('::'), status: 'missing' };
}

function unscored(reason: 'grader-failed' | 'grading-timeout', detail: string): Outcome {
  return { status: 'unscored', reason, boundary: 'grader', detail };
}
