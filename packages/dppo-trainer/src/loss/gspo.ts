import type { Loss } from '@tadpole/contracts';
import { type Aggregation, groupByTrajectory, prepareTokens } from './prepare-tokens.js';
import { ratioMetrics } from './ratio-metrics.js';
import { assertThresholds } from './thresholds.js';

/**
 * GSPO (arXiv 2507.18071): PPO's clipped objective with one ratio for a whole trajectory, the geometric mean of its tokens'.
 *
 *     loss = -(1/N) * sum over trajectories i of min(s_i * A_i, clip(s_i, 1 - clipLow, 1 + clipHigh) * A_i),
 *     s_i = exp((1/T_i) * sum over the T_i tokens of i of (logprob - rolloutLogprob))
 *
 * A trajectory whose clipped side is the smaller has no gradient; every token of another has the same one,
 * dLoss/dlogprob = -A_i * s_i / (N * T_i). With another aggregation than the paper's `trajectory-mean`, each token carries
 * its trajectory's term divided as the aggregation says. A trajectory's tokens are those with one number in `trajectories`, over all its segments; all
 * of them have to be in one call. Minimise.
 *
 * Metrics: those of the tokens' ratios, `loss`, `clipFraction`, the clipped share of trained tokens, and `sequenceRatioMean`,
 * `sequenceRatioMax` over trajectories.
 *
 * @throws TadpoleError `invalid-input` for a negative distance.
 */
export function gspo(
  options: {
    /** Largest fall of a trajectory's ratio below 1. @default 3e-4 (section 5.1 of the paper) */
    clipLow?: number;
    /** Largest rise above 1. @default 4e-4 */
    clipHigh?: number;
    /** @default 'trajectory-mean' */
    aggregation?: Aggregation;
  } = {},
): Loss {
  const { clipLow = 3e-4, clipHigh = 4e-4, aggregation = 'trajectory-mean' } = options;
  assertThresholds({ clipLow, clipHigh });
  return (inputs) => {
    const { trained, divisors } = prepareTokens(inputs, aggregation);
    const groups = groupByTrajectory(inputs, trained);
    const gradient = new Float64Array(inputs.logprobs.length);
    let loss = 0;
    let clipped = 0;
    let ratioSum = 0;
    let ratioMax = 0;
    for (const group of groups) {
      const logRatio = group.reduce((sum, t) => sum + (inputs.logprobs[t] ?? 0) - (inputs.rolloutLogprobs[t] ?? 0), 0) / group.length;
      const ratio = Math.exp(logRatio);
      let slope = 0;
      for (const t of group) {
        const advantage = inputs.advantages[t] ?? 0;
        const isHeld = advantage > 0 ? ratio > 1 + clipHigh : advantage < 0 && ratio < 1 - clipLow;
        const bound = advantage > 0 ? 1 + clipHigh : 1 - clipLow;
        if (isHeld) clipped += 1;
        if (advantage === 0) continue;
        loss -= (advantage * (isHeld ? bound : ratio)) / (divisors[t] ?? 1);
        if (!isHeld) slope -= (advantage * ratio) / (divisors[t] ?? 1);
      }
      for (const t of group) gradient[t] = slope / group.length;
      ratioSum += ratio;
      ratioMax = Math.max(ratioMax, ratio);
    }
    const sequenceRatios = { sequenceRatioMean: ratioSum / groups.length, sequenceRatioMax: ratioMax };
    return {
      loss,
      gradient,
      metrics: { loss, clipFraction: clipped / trained.length, ...sequenceRatios, ...ratioMetrics(inputs, trained) },
    };
  };
}
