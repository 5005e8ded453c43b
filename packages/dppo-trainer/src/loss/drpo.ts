import { type Loss, TadpoleError } from '@tadpole/contracts';
import type { Aggregation } from './prepare-tokens.js';
import { sumTerms } from './sum-terms.js';

/**
 * DRPO (arXiv 2606.09821): DPPO's mask made smooth, by a penalty that grows with the distance from the sampler.
 *
 *     loss = (1/|T|) * sum over t of -A_t * rho_t + |A_t| * q_t * (rho_t - 1)^2 / (2 * epsilon)
 *
 * with q = exp(rolloutLogprob) and rho = p/q = exp(logprob - rolloutLogprob), so
 * dLoss/dlogprob = (-A * rho + |A| * (p - q) * rho / epsilon) / |T|. At epsilon = 12.5 the second part is at most 8 % of
 * the first. Minimise.
 *
 * Metrics: those of the ratio, `loss`, and `maskFraction`, which is 0.
 *
 * @throws TadpoleError `invalid-input` for an epsilon that is not positive.
 */
export function drpo(
  options: {
    /** Weight of the policy gradient against the penalty. @default 12.5 */
    epsilon?: number;
    /** @default 'token-mean' */
    aggregation?: Aggregation;
  } = {},
): Loss {
  const { epsilon = 12.5, aggregation = 'token-mean' } = options;
  if (!(epsilon > 0)) throw new TadpoleError({ code: 'invalid-input', message: `Expected a positive epsilon, got ${epsilon}.` });
  return (inputs) =>
    sumTerms({
      inputs,
      aggregation,
      heldAs: 'maskFraction',
      term({ advantage, ratio, logprob, rolloutLogprob }) {
        // q * (rho - 1) = p - q, which a huge ratio does not overflow.
        const force = (Math.abs(advantage) * (Math.exp(logprob) - Math.exp(rolloutLogprob))) / epsilon;
        return { value: -advantage * ratio + (force * (ratio - 1)) / 2, slope: -advantage * ratio + force * ratio, held: false };
      },
    });
}
