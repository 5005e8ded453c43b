import { type Grader, isTadpoleError, type Outcome, type SandboxProvider, TadpoleError, type Task } from '@tadpole/contracts';
import { canonicalHash } from '../canonical-hash.js';
import type { DependencyStore } from '../snapshots/create-dependency-store.js';
import { taskEnvironment } from '../tasks/task-environment.js';
import { createGradingHasher } from '../tasks/task-hash.js';
import type { OutcomeCache } from './create-outcome-cache.js';
import { gradeByScript } from './grade-by-script.js';
import { gradeByTests } from './grade-by-tests.js';

/**
 * Grades a patch in a fresh sandbox that nothing of the agent's reaches but the patch. Call it once the agent's own
 * sandbox is disposed.
 *
 * A `tests` verifier: the patch on the task's workspace, protected paths, test files and runner configuration restored,
 * hidden tests copied in only now, the named test files run in one process. Reward 1 when every fail-to-pass and
 * pass-to-pass test passed, else 0; a test that did not report has not passed. Components: `patchApplied` (0 or 1), and
 * `failToPass` and `passToPass` as fractions that passed. A patch that hangs or crashes the tests scores 0.
 *
 * A `script` verifier: the patch on the workspace, `tests/` at `/tests` read-only, then `bash /tests/test.sh`. The reward
 * in `/logs/verifier` must be a number in [0, 1]; without one, and when the time runs out, the outcome is `Unscored`.
 * Components: `patchApplied` and the numbers beside the reward.
 *
 * For both a patch that does not apply, or that outgrows the sandbox's bounds, scores 0; a failure of the sandbox or of this
 * machine is `Unscored`. Code under test writes nothing but the sandbox's own bounded storage, and is read from there.
 *
 * Not covered: code under test that patches the test framework in its own process, or takes the report's key from that
 * process by a debugger, its memory or the frames of Python; with a `script` verifier also code
 * under test that writes the reward files itself, since the script and what it starts are one to the sandbox.
 */
export function createGrader(options: {
  provider: SandboxProvider;
  dependencyStore: DependencyStore;
  /** Keyed by the patch and by all that grading reads of the task. @default none: every call executes */
  cache?: OutcomeCache;
}): Grader {
  const gradingHash = createGradingHasher();
  return {
    async grade({ task, patch, signal }) {
      if (signal?.aborted)
        throw new TadpoleError({ code: 'aborted', message: 'grading was not started: its signal is aborted', cause: signal.reason });
      const grade = () => gradeOnce({ ...options, task, patch, signal });
      if (options.cache === undefined) return grade();
      const key = canonicalHash([await gradingHash(task), patch]);
      return options.cache.outcome({ key, grade, signal });
    },
  };
}

async function gradeOnce(options: {
  provider: SandboxProvider;
  dependencyStore: DependencyStore;
  task: Task;
  patch: string;
  signal?: AbortSignal;
}): Promise<Outcome> {
  const { provider, task, patch, signal } = options;
  const { verifier } = task.data;
  try {
    const environment = await taskEnvironment(options);
    return verifier.kind === 'tests'
      ? await gradeByTests({ provider, environment, task, verifier, patch, signal })
      : await gradeByScript({ provider, environment, task, verifier, patch, signal });
  } catch (error) {
    // A full or failing disk of this machine says nothing about the patch.
    if (error instanceof Error && 'syscall' in error)
      return { status: 'unscored', reason: 'grader-failed', boundary: 'grader', detail: error.message };
    if (!isTadpoleError(error) || error.code === 'aborted' || error.code === 'invalid-input') throw error;
    return { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: error.message };
  }
}
