import { TadpoleError } from '@tadpole/contracts';
import type { LimitFunction } from 'p-limit';
import { parseAgentLimits } from '../loop/agent-limits.js';
import { addUsage } from '../loop/agent-state.js';
import type { Redactor } from '../secrets/create-redactor.js';
import { attemptAgent } from './attempt-agent.js';
import { attemptGrading, isInfrastructureFailure } from './attempt-grading.js';
import { createPhaseClock } from './phase-clock.js';
import { redactRollout } from './redact-rollout.js';
import type { RollOutOptions } from './roll-out-options.js';
import { deadlinesOf } from './rollout-deadlines.js';
import type { FailedAttempt, PlannedRollout, RolloutEnd } from './rollout-end.js';

/** One rollout through both pools, into the journal. @throws TadpoleError `aborted` by the signal, callers' mistakes, and what the journal throws. */
export async function runRollout(parts: {
  options: RollOutOptions;
  planned: PlannedRollout;
  pools: { agents: LimitFunction; graders: LimitFunction };
  /** Of each stage. */
  attempts: number;
  redactor: Redactor;
  signal: AbortSignal;
}): Promise<RolloutEnd> {
  const { options, planned, pools, attempts, redactor, signal } = parts;
  const { key, task, taskHash, sample, sampling } = planned;
  const { purpose, weightsVersion, now } = options;
  const deadlines = deadlinesOf({ task, limits: parseAgentLimits(options.limits), deadlines: options.deadlines, attempts });
  const clock = createPhaseClock({ deadlines, now, signal });
  const failedAttempts: FailedAttempt[] = [];

  const { trajectory, failure } = await pools.agents(async () => {
    for (let attempt = 1; ; attempt += 1) {
      throwIfAborted(signal);
      const result = await attemptAgent({ options, planned, clock, disposeMs: deadlines.disposeMs });
      throwIfAborted(signal);
      if (result.failure === undefined || attempt === attempts || !clock.hasTime()) return result;
      failedAttempts.push({ stage: 'agent', detail: result.failure.detail, usage: result.trajectory.usage });
    }
  });

  if (
    failure === undefined &&
    purpose === 'train' &&
    trajectory.turns.length > 0 &&
    !trajectory.segments.some(({ mask }) => mask.includes(true))
  )
    throw new TadpoleError({
      code: 'invalid-input',
      message: `rollOut: expected token ids for a rollout to train on, received none: the policy ${trajectory.policy} sampled none. Train with a policy that samples or records tokens, or roll out for another purpose.`,
    });
  const outcome =
    failure ??
    (await pools.graders(async () => {
      for (let attempt = 1; ; attempt += 1) {
        throwIfAborted(signal);
        const graded = await attemptGrading({ grader: options.grader, task, patch: trajectory.patch, clock });
        throwIfAborted(signal);
        if (!isInfrastructureFailure(graded) || attempt === attempts || !clock.hasTime()) return graded;
        failedAttempts.push({ stage: 'grading', detail: graded.detail });
      }
    }));

  const usage = failedAttempts.reduce((sum, failed) => (failed.usage === undefined ? sum : addUsage(sum, failed.usage)), trajectory.usage);
  const identity = { key, purpose, task, taskHash, sample, seed: sampling.seed, weightsVersion };
  const end = redactRollout({ type: 'rollout-end', ...identity, trajectory, outcome, usage, failedAttempts }, { redactor });
  await options.journal?.append(end);
  return end;
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new TadpoleError({
      code: 'aborted',
      message: 'Expected the rollout to finish, received the signal to stop. It has no result and can be run again.',
    });
}
