import type { Loss } from '@tadpole/contracts';
import type { Aggregation } from './prepare-tokens.js';
import { sumTerms } from './sum-terms.js';
import { assertRatioBounds } from './thresholds.js';

/**
 * PPO's clipped objective (arXiv 1707.06347), anchored to the rollout's recorded log-probabilities:
 *
 *     loss = -(1/|T|) * sum over t of min(rho_t * A_t, clip(rho_t, clipLow, clipHigh) * A_t)
 *
 * with rho = exp(logprob - rolloutLogprob). dLoss/dlogprob = -A * rho / |T|, and exactly 0 where the clipped side is the smaller:
 * A > 0 and rho > clipHigh, or A < 0 and rho < clipLow. There is no second bound for large ratios at negative advantages. Minimise.
 * Engines have it as `ppo`.
 *
 * Metrics: those of the ratio, `loss`, and `clipFraction`, the share of trained tokens without a gradient for it.
 *
 * @throws TadpoleError `invalid-input` for bounds that do not enclose 1.
 */
export function ppoClip(
  options: {
    /** Smallest ratio. Bounds are the ratio's, not distances from 1. @default 0.8 */
    clipLow?: number;
    /** Largest ratio. @default 1.2 */
    clipHigh?: number;
    /** @default 'token-mean' */
    aggregation?: Aggregation;
  } = {},
): Loss {
  const { clipLow = 0.8, clipHigh = 1.2, aggregation = 'token-mean' } = options;
  assertRatioBounds({ clipLow, clipHigh });
  const loss: Loss = (inputs) =>
    sumTerms({
      inputs,
      aggregation,
      heldAs: 'clipFraction',
      term({ advantage, ratio }) {
        if (advantage > 0 && ratio > clipHigh) return { value: -advantage * clipHigh, slope: 0, held: true };
        if (advantage < 0 && ratio < clipLow) return { value: -advantage * clipLow, slope: 0, held: true };
        return { value: -advantage * ratio, slope: -advantage * ratio, held: false };
      },
    });
  return Object.assign(loss, { engineLoss: { name: 'ppo', config: { clip_low_threshold: clipLow, clip_high_threshold: clipHigh } } });
}
