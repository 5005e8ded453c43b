import {
  type Grader,
  isTadpoleError,
  type Outcome,
  outcomeSchema,
  type Task,
  type Unscored,
  type UnscoredReason,
} from '@tadpole/contracts';
import { z } from 'zod';
import { describeError } from '../loop/ending.js';
import type { PhaseClock } from './phase-clock.js';

const INFRASTRUCTURE: readonly UnscoredReason[] = ['sandbox-failed', 'policy-failed', 'grader-failed', 'grading-timeout', 'timeout'];

/** Whether another attempt in a fresh sandbox may give a result. */
export function isInfrastructureFailure(outcome: Outcome): outcome is Unscored {
  return outcome.status === 'unscored' && INFRASTRUCTURE.includes(outcome.reason);
}

/** Grades once. A grader that throws, or gives what is no outcome, has no result: `grader-failed`. @throws TadpoleError `aborted` or `invalid-input`, as the grader did. */
export async function attemptGrading(options: { grader: Grader; task: Task; patch: string; clock: PhaseClock }): Promise<Outcome> {
  const { grader, task, patch, clock } = options;
  try {
    const graded = await clock.run({ phase: 'grade', work: async (signal) => grader.grade({ task, patch, signal }) });
    if (graded.status !== 'done') return graded.failure;
    const outcome = outcomeSchema.safeParse(graded.value);
    if (outcome.success) return outcome.data;
    return failed(`expected an outcome, received another: ${z.prettifyError(outcome.error).replaceAll('\n', ' ')}`);
  } catch (error) {
    if (isTadpoleError(error) && (error.code === 'aborted' || error.code === 'invalid-input')) throw error;
    return failed(describeError(error));
  }
}

function failed(detail: string): Unscored {
  return { status: 'unscored', reason: 'grader-failed', boundary: 'grader', detail };
}
