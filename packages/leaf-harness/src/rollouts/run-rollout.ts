import { TadpoleError } from '@tadpole/contracts';
import type { LimitFunction } from 'p-limit';
import { attemptAgent } from './attempt-agent.js';
import { attemptGrading, isInfrastructureFailure } from './attempt-grading.js';
import type { RollOutOptions } from './roll-out-options.js';
import type { FailedAttempt, PlannedRollout, RolloutEnd } from './rollout-end.js';

/** Attempts of each stage before the failure is the result (frognano.md section 2.1: `max_attempts` 2). */
const MAX_ATTEMPTS = 2;

/** One rollout through both pools. @throws TadpoleError `aborted` by the signal, and callers' mistakes. */
export async function runRollout(parts: {
  options: RollOutOptions;
  planned: PlannedRollout;
  pools: { agents: LimitFunction; graders: LimitFunction };
  signal: AbortSignal;
}): Promise<RolloutEnd> {
  const { options, planned, pools, signal } = parts;
  const failedAttempts: FailedAttempt[] = [];

  const { trajectory, failure } = await pools.agents(async () => {
    for (let attempt = 1; ; attempt += 1) {
      throwIfAborted(signal);
      const result = await attemptAgent({ options, planned, signal });
      throwIfAborted(signal);
      if (result.failure === undefined || attempt === MAX_ATTEMPTS) return result;
      failedAttempts.push({ stage: 'agent', detail: result.failure.detail, usage: result.trajectory.usage });
    }
  });

  const outcome =
    failure ??
    (await pools.graders(async () => {
      for (let attempt = 1; ; attempt += 1) {
        throwIfAborted(signal);
        const graded = await attemptGrading({ grader: options.grader, task: planned.task, patch: trajectory.patch, signal });
        throwIfAborted(signal);
        if (!isInfrastructureFailure(graded) || attempt === MAX_ATTEMPTS) return graded;
        failedAttempts.push({ stage: 'grading', detail: graded.detail });
      }
    }));

  const { key, task, sample, sampling } = planned;
  const { purpose, weightsVersion } = options;
  return { type: 'rollout-end', key, purpose, task, sample, seed: sampling.seed, weightsVersion, trajectory, outcome, failedAttempts };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new TadpoleError({
      code: 'aborted',
      message: 'Expected the rollout to finish, received the signal to stop. It has no result and can be run again.',
    });
}
