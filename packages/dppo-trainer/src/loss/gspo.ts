import type { Loss, LossInputs } from '@tadpole/contracts';
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
    const gradient = new Float64Array(inputs.logprobs.length);
    const ratios: number[] = [];
    let loss = 0;
    let clipped = 0;
    for (const group of groupByTrajectory(inputs, trained)) {
      const ratio = sequenceRatio(inputs, group);
      ratios.push(ratio);
      let slope = 0;
      for (const t of group) {
        const share = (inputs.advantages[t] ?? 0) / (divisors[t] ?? 1);
        const bounded = boundRatio({ ratio, share, clipLow, clipHigh });
        loss -= share * bounded;
        if (bounded === ratio) slope -= share * ratio;
        else clipped += 1;
      }
      for (const t of group) gradient[t] = slope / group.length;
    }
    const sequenceRatioMean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    const sequenceRatioMax = ratios.reduce((largest, ratio) => Math.max(largest, ratio), 0);
    const own = { loss, clipFraction: clipped / trained.length, sequenceRatioMean, sequenceRatioMax };
    return { loss, gradient, metrics: { ...own, ...ratioMetrics(inputs, trained) } };
  };
}

/** The ratio, or its bound where that makes the objective smaller. */
function boundRatio({ ratio, share, clipLow, clipHigh }: { ratio: number; share: number; clipLow: number; clipHigh: number }): number {
  if (share > 0) return Math.min(ratio, 1 + clipHigh);
  return share < 0 ? Math.max(ratio, 1 - clipLow) : ratio;
}

function sequenceRatio(inputs: LossInputs, group: readonly number[]): number {
  const logRatio = group.reduce((sum, t) => sum + (inputs.logprobs[t] ?? 0) - (inputs.rolloutLogprobs[t] ?? 0), 0);
  return Math.exp(logRatio / group.length);
}
