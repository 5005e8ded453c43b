import { type Grader, isTadpoleError, type Outcome, type Task, type Unscored, type UnscoredReason } from '@tadpole/contracts';
import { describeError } from '../loop/ending.js';
import type { PhaseClock } from './phase-clock.js';

const INFRASTRUCTURE: readonly UnscoredReason[] = ['sandbox-failed', 'policy-failed', 'grader-failed', 'grading-timeout', 'timeout'];

/** Whether another attempt in a fresh sandbox may give a result. */
export function isInfrastructureFailure(outcome: Outcome): outcome is Unscored {
  return outcome.status === 'unscored' && INFRASTRUCTURE.includes(outcome.reason);
}

/** Grades once. A grader that throws has no result: `grader-failed`. @throws TadpoleError `aborted` or `invalid-input`, as the grader did. */
export async function attemptGrading(options: { grader: Grader; task: Task; patch: string; clock: PhaseClock }): Promise<Outcome> {
  const { grader, task, patch, clock } = options;
  try {
    const graded = await clock.run({ phase: 'grade', work: async (signal) => grader.grade({ task, patch, signal }) });
    return graded.status === 'done' ? graded.value : graded.failure;
  } catch (error) {
    if (isTadpoleError(error) && (error.code === 'aborted' || error.code === 'invalid-input')) throw error;
    return { status: 'unscored', reason: 'grader-failed', boundary: 'grader', detail: describeError(error) };
  }
}
