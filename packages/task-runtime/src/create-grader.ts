import { existsSync } from 'node:fs';
import {
  type Grader,
  isTadpoleError,
  type Outcome,
  type SandboxProvider,
  TadpoleError,
  type Task,
  type TestResult,
  type Unscored,
} from '@tadpole/contracts';
import { canonicalHash } from './canonical-hash.js';
import type { DependencyStore } from './create-dependency-store.js';
import type { OutcomeCache } from './create-outcome-cache.js';
import { packageName } from './create-test-executor.js';
import { gradingPreparation, preparationExits } from './grading-preparation.js';
import { hashTree, listTree } from './hash-tree.js';
import { runTestFiles, shortOutput, type TestFilesRun } from './run-test-files.js';
import { runtimeFolder } from './system-view.js';
import { taskFolder } from './task-folder.js';

/**
 * Grades a patch: a fresh sandbox from the task's workspace, the patch, protected paths restored, hidden tests copied in
 * only now, the named test files run in one process. Reward 1 when every fail-to-pass and pass-to-pass test passed, else 0;
 * a test that did not report has not passed.
 *
 * Components: `patchApplied` (0 or 1), and `failToPass` and `passToPass` as fractions that passed.
 * A patch that does not apply, hangs or crashes the tests scores 0; a failure of the sandbox is `Unscored`.
 * Not covered: code under test that patches the test framework in its own process.
 */
export function createGrader(options: {
  provider: SandboxProvider;
  dependencyStore: DependencyStore;
  /** @default none: every call executes */
  cache?: OutcomeCache;
}): Grader {
  const hashes = new Map<string, Promise<string>>();
  return {
    async grade({ task, patch, signal }) {
      if (signal?.aborted)
        throw new TadpoleError({ code: 'aborted', message: 'grading was not started: its signal is aborted', cause: signal.reason });
      const grade = () => gradeOnce({ ...options, task, patch, signal });
      if (options.cache === undefined) return grade();
      const taskKey = hashes.get(task.directory) ?? taskHash(task);
      hashes.set(task.directory, taskKey);
      taskKey.catch(() => hashes.delete(task.directory));
      const key = canonicalHash([await taskKey, patch]);
      return options.cache.outcome({ key, grade, signal });
    },
  };
}

/** Hash of everything that changes a grading's meaning: environment, limits, verifier, workspace and hidden files. */
export async function taskHash(task: Task): Promise<string> {
  const { environment, limits, verifier } = task.data;
  const folder = taskFolder(task.directory);
  return canonicalHash([
    environment,
    limits,
    verifier,
    await hashTree(folder.workspace),
    existsSync(folder.hidden) ? await hashTree(folder.hidden) : '',
  ]);
}

async function gradeOnce(options: {
  provider: SandboxProvider;
  dependencyStore: DependencyStore;
  task: Task;
  patch: string;
  signal?: AbortSignal;
}): Promise<Outcome> {
  const { task, patch } = options;
  const { data } = task;
  const folder = taskFolder(task.directory);
  const exclude = packageName(data.lineage.source);
  const dependencies = await options.dependencyStore.directoryFor(data.environment.dependencies, { exclude });
  const hiddenFiles = existsSync(folder.hidden) ? (await listTree(folder.hidden)).map(({ path }) => path) : [];
  const inside = { patch: `${runtimeFolder}/patch`, base: `${runtimeFolder}/base`, hidden: `${runtimeFolder}/hidden` };
  let run: TestFilesRun;
  try {
    run = await runTestFiles({
      provider: options.provider,
      environment: {
        workspace: folder.workspace,
        workspacePath: data.environment.workspacePath,
        readOnlyMounts: [
          { source: folder.workspace, target: inside.base },
          ...(hiddenFiles.length === 0 ? [] : [{ source: folder.hidden, target: inside.hidden }]),
        ],
      },
      files: patch === '' ? {} : { [inside.patch]: patch },
      limits: data.limits,
      runner: data.verifier.runner,
      testFiles: data.verifier.testFiles,
      dependencies,
      prepare: gradingPreparation({
        ...(patch === '' ? {} : { patch: inside.patch }),
        ...{ base: inside.base, hidden: inside.hidden, protectedPaths: data.verifier.protectedPaths, hiddenFiles },
      }),
      timeoutMs: data.verifier.timeoutMs,
      signal: options.signal,
    });
  } catch (error) {
    if (!isTadpoleError(error) || error.code === 'aborted' || error.code === 'invalid-input') throw error;
    return unscored('sandbox-failed', 'sandbox', error.message);
  }
  if (!run.started && run.result.exitCode === preparationExits.patch) return score({ task, patchApplied: 0, tests: [] });
  // Before the first test file is loaded nothing of the patch runs, so what fails until then is ours.
  if (!run.started && !run.result.timedOut)
    return unscored('grader-failed', 'grader', `exit ${run.result.exitCode} before the tests: ${shortOutput(run.result, 500)}`);
  if (!run.started) return unscored('grading-timeout', 'grader', `no test was started within ${data.verifier.timeoutMs} ms`);
  return score({ task, patchApplied: 1, tests: run.result.timedOut ? [] : (run.tests ?? []) });
}

function score(options: { task: Task; patchApplied: 0 | 1; tests: readonly TestResult[] }): Outcome {
  const { failToPass, passToPass } = options.task.data.verifier;
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

function unscored(reason: Unscored['reason'], boundary: Unscored['boundary'], detail: string): Unscored {
  return { status: 'unscored', reason, boundary, detail };
}
