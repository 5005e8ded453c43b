import { TadpoleError } from '@tadpole/contracts';

/**
 * How a group's rewards become advantages.
 *
 * - `mean-std`: `(R - mean) / (std + epsilon)` with the sample standard deviation (G - 1), as FrogNano trains
 * - `mean`: `R - mean`
 * - `leave-one-out`: `R_i` minus the mean of the other rewards
 */
export type Normalisation = 'mean-std' | 'mean' | 'leave-one-out';

/**
 * Turns the rewards [G] of one task's rollouts into advantages [G], one for all of a rollout's tokens.
 * Every normalisation gives advantages that sum to 0 up to rounding; a constant group gives zeros.
 * Source: arXiv 2609.07925 Table 2; the G - 1 divisor is printed in arXiv 2609.35741.
 *
 * @throws TadpoleError `invalid-input` for fewer than two rewards or one that is not finite.
 */
export function groupAdvantages(options: {
  rewards: readonly number[];
  /** @default 'mean-std' */
  normalisation?: Normalisation;
  /** Added to the standard deviation. @default 1e-6 */
  epsilon?: number;
}): number[] {
  const { rewards, normalisation = 'mean-std', epsilon = 1e-6 } = options;
  const size = rewards.length;
  if (size < 2) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected a group of at least 2 rewards, got ${size}: an advantage compares a rollout with others of its task. Drop the group.`,
    });
  }
  const bad = rewards.findIndex((reward) => !Number.isFinite(reward));
  if (bad >= 0) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected finite rewards, got ${rewards[bad]} at position ${bad}. A rollout without a score must not enter a group.`,
    });
  }
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / size;
  const centred = rewards.map((reward) => reward - mean);
  if (normalisation === 'mean') return centred;
  if (normalisation === 'leave-one-out') return centred.map((difference) => (difference * size) / (size - 1));
  const deviation = Math.sqrt(centred.reduce((sum, difference) => sum + difference * difference, 0) / (size - 1));
  return centred.map((difference) => difference / (deviation + epsilon));
}
