import { type StopReason, TadpoleError, type Trajectory } from '@tadpole/contracts';

/** True when something other than the agent's own decision ended the rollout, so that a pass earns less. */
export function isTruncated(stopReason: StopReason): boolean {
  return stopReason !== 'agent';
}

/** Tokens that the policy sampled in a trajectory: reasoning, text and tool calls, never observations. */
export function countGeneratedTokens(trajectory: Trajectory): number {
  let sampled = 0;
  for (const segment of trajectory.segments) for (const own of segment.mask) if (own) sampled += 1;
  return sampled;
}

/**
 * The reward of iterations 1 and 2: a pass is worth 1, a truncated pass `truncatedReward`. A reward below 1
 * is not a pass and comes back unchanged (0 for a binary grader). Source: arXiv 2609.07925, section 4.
 *
 * @throws TadpoleError `invalid-input` for a reward outside [0, 1].
 */
export function truncationReward(options: {
  reward: number;
  truncated: boolean;
  /** @default 0.5 */
  truncatedReward?: number;
}): number {
  const { reward, truncated, truncatedReward = 0.5 } = options;
  if (!(reward >= 0 && reward <= 1)) {
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a reward in [0, 1], got ${reward}.` });
  }
  return reward === 1 && truncated ? truncatedReward : reward;
}

/**
 * The reward from iteration 3 on: {@link truncationReward}, and a pass that ended normally loses
 * `alpha * max(0, ln(n / referenceTokens))` for its n generated tokens. Failures are never penalised for
 * their length. Source: arXiv 2609.07925; `alpha` and `referenceTokens` as printed in arXiv 2609.35741 C.2.
 *
 * @throws TadpoleError `invalid-input` for a reward outside [0, 1] or a count that is not a positive integer on a pass.
 */
export function lengthReward(options: {
  reward: number;
  truncated: boolean;
  /** Sampled tokens of the whole rollout; see {@link countGeneratedTokens}. */
  generatedTokens: number;
  /** @default 0.1 */
  alpha?: number;
  /** Length up to which nothing is lost. @default 8192 */
  referenceTokens?: number;
  /** @default 0.5 */
  truncatedReward?: number;
}): number {
  const { generatedTokens, alpha = 0.1, referenceTokens = 8192 } = options;
  const reward = truncationReward(options);
  if (options.reward !== 1 || options.truncated) return reward;
  if (!Number.isInteger(generatedTokens) || generatedTokens < 1) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected a positive number of generated tokens for a passing rollout, got ${generatedTokens}: a pass without tokens means that none were recorded.`,
    });
  }
  return reward - alpha * Math.max(0, Math.log(generatedTokens / referenceTokens));
}
