import { type Grader, isTadpoleError, type Outcome, type Task, type Unscored, type UnscoredReason } from '@tadpole/contracts';
import { describeError } from '../loop/ending.js';

const INFRASTRUCTURE: readonly UnscoredReason[] = ['sandbox-failed', 'grader-failed', 'grading-timeout'];

/** Whether grading again in a fresh sandbox may give a result. */
export function isInfrastructureFailure(outcome: Outcome): outcome is Unscored {
  return outcome.status === 'unscored' && INFRASTRUCTURE.includes(outcome.reason);
}

/** Grades once. A grader that throws has no result: `grader-failed`. @throws TadpoleError `aborted` or `invalid-input`, as the grader did. */
export async function attemptGrading(options: { grader: Grader; task: Task; patch: string; signal: AbortSignal }): Promise<Outcome> {
  const { grader, task, patch, signal } = options;
  try {
    return await grader.grade({ task, patch, signal });
  } catch (error) {
    if (isTadpoleError(error) && (error.code === 'aborted' || error.code === 'invalid-input')) throw error;
    return { status: 'unscored', reason: 'grader-failed', boundary: 'grader', detail: describeError(error) };
  }
}
