import type { Loss } from '@tadpole/contracts';
import { assertRatioCap, cappedRatioTerm } from './capped-ratio.js';
import type { Aggregation } from './prepare-tokens.js';
import { sumTerms } from './sum-terms.js';

/**
 * Policy gradient with importance weights and no trust region:
 *
 *     loss = -(1/|T|) * sum over t of A_t * rho_t,   dLoss/dlogprob = -A * rho / |T|
 *
 * with rho = exp(logprob - rolloutLogprob). Minimise. This is what a DPPO loss is when nothing is masked. Engines have it as
 * `importance_sampling`, without a cap.
 *
 * Metrics: those of the ratio, `loss`, and `maskFraction`, which is 0.
 *
 * @throws TadpoleError `invalid-input` for a cap below 1.
 */
export function importanceSampling(
  options: {
    /** Largest weight of a token's gradient, which truncates the importance weight; see {@link dppoBinaryTv}. @default no cap */
    ratioCap?: number;
    /** @default 'token-mean' */
    aggregation?: Aggregation;
  } = {},
): Loss {
  const { ratioCap = Number.POSITIVE_INFINITY, aggregation = 'token-mean' } = options;
  assertRatioCap(ratioCap);
  const loss: Loss = (inputs) =>
    sumTerms({ inputs, aggregation, heldAs: 'maskFraction', term: (token) => cappedRatioTerm(token, ratioCap) });
  if (Number.isFinite(ratioCap)) return loss;
  return Object.assign(loss, { engineLoss: { name: 'importance_sampling', config: {} } });
}
