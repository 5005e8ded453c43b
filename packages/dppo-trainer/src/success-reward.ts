import type { RewardFunction } from '@tadpole/contracts';
import { countGeneratedTokens, isTruncated, lengthReward, truncationReward } from './shape-reward.js';

/**
 * FrogNano's reward as a function over scored rollouts: 1 for a pass, 0.5 for one that was cut off, 0 for a failure; from an
 * iteration on a pass also loses by its length ({@link lengthReward}). A grader's partial credit passes through unchanged.
 *
 * @throws TadpoleError `invalid-input`, on scoring, for an outcome's reward outside [0, 1], or a pass without recorded tokens while
 * length counts.
 */
export function successReward(options: {
  /** The iteration in progress, counted from 0. */
  iteration: number;
  /** First iteration, counted from 0, in which length counts. @default 2 (FrogNano's third) */
  lengthTermFromIteration?: number;
  /** @default 0.1 */
  alpha?: number;
  /** Length up to which nothing is lost. @default 8192 */
  referenceTokens?: number;
  /** @default 0.5 */
  truncatedReward?: number;
}): RewardFunction {
  const { iteration, lengthTermFromIteration = 2, ...shape } = options;
  return {
    name: 'success',
    score({ trajectory, outcome }) {
      const facts = { ...shape, reward: outcome.reward, truncated: isTruncated(trajectory.stopReason) };
      if (iteration < lengthTermFromIteration) return { score: truncationReward(facts) };
      const generatedTokens = countGeneratedTokens(trajectory);
      return { score: lengthReward({ ...facts, generatedTokens }), reason: `${generatedTokens} generated tokens` };
    },
  };
}
