import type { Loss } from '@tadpole/contracts';
import type { Aggregation } from './prepare-tokens.js';
import { sumTerms } from './sum-terms.js';
import { assertRatioBounds } from './thresholds.js';

/**
 * CISPO (arXiv 2506.13585): every token keeps a gradient, with a bounded importance weight.
 *
 *     loss = -(1/|T|) * sum over t of sg(clip(rho_t, clipLow, clipHigh)) * A_t * logprob_t
 *
 * with rho = exp(logprob - rolloutLogprob). sg holds its argument constant under the gradient, so
 * dLoss/dlogprob = -clip(rho) * A / |T|. The value moves with logprob itself and tells nothing about progress; the gradient is
 * its derivative at fixed weights, not the derivative of the value as a function of logprob alone. Minimise. Engines have it
 * as `cispo`.
 *
 * Metrics: those of the ratio, `loss`, and `clipFraction`, the share of trained tokens whose weight is clipped.
 *
 * @throws TadpoleError `invalid-input` for bounds that do not enclose 1.
 */
export function cispo(
  options: {
    /** Smallest weight. @default 0 (none, as hosted Tinker) */
    clipLow?: number;
    /** Largest weight. @default 4 (as hosted Tinker) */
    clipHigh?: number;
    /** @default 'token-mean' */
    aggregation?: Aggregation;
  } = {},
): Loss {
  const { clipLow = 0, clipHigh = 4, aggregation = 'token-mean' } = options;
  assertRatioBounds({ clipLow, clipHigh });
  const loss: Loss = (inputs) =>
    sumTerms({
      inputs,
      aggregation,
      heldAs: 'clipFraction',
      term({ advantage, ratio, logprob }) {
        const weight = Math.min(Math.max(ratio, clipLow), clipHigh);
        return { value: -weight * advantage * logprob, slope: -weight * advantage, held: weight !== ratio };
      },
    });
  return Object.assign(loss, { engineLoss: { name: 'cispo', config: { clip_low_threshold: clipLow, clip_high_threshold: clipHigh } } });
}
