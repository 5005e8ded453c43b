import type { Loss } from '@tadpole/contracts';
import { assertRatioCap, cappedRatioTerm } from './capped-ratio.js';
import type { Aggregation } from './prepare-tokens.js';
import { MASKED, sumTerms } from './sum-terms.js';
import { assertThresholds } from './thresholds.js';

/**
 * DPPO with the Binary-TV mask (arXiv 2602.04879; as FrogNano uses it, arXiv 2609.07925 section 4.1):
 *
 *     loss = -(1/|T|) * sum over kept t of A_t * rho_t,   rho = p/q = exp(logprob - rolloutLogprob)
 *
 * A token is masked when A > 0 and p - q > deltaHigh, or A <= 0 and p - q < -deltaLow: its probability has
 * already moved far enough in the direction that the advantage asks for. The anchor q is what the sampler
 * recorded, never recomputed. |T| counts every trained token, masked ones too. The mask is constant under
 * the gradient, so dLoss/dlogprob = -A * rho / |T| where kept and exactly 0 where masked. Minimise.
 *
 * Metrics: those of the ratio, `loss`, and `maskFraction`, the masked share of trained tokens. Engines have it as
 * `dppo`, without a cap.
 *
 * @throws TadpoleError `invalid-input` for a negative threshold or a cap below 1.
 */
export function dppoBinaryTv(
  options: {
    /** Largest fall of a token's probability while its advantage is not positive. @default 0.2 */
    deltaLow?: number;
    /** Largest rise while its advantage is positive. @default 0.2 */
    deltaHigh?: number;
    /**
     * Largest weight of a token's gradient. Beyond it the term goes on as its tangent in the log ratio,
     * so the gradient is -A * min(rho, cap) / |T|. FrogNano has none; the DPPO paper scales with 5. @default no cap
     */
    ratioCap?: number;
    /** @default 'token-mean' */
    aggregation?: Aggregation;
  } = {},
): Loss {
  const { deltaLow = 0.2, deltaHigh = 0.2, ratioCap = Number.POSITIVE_INFINITY, aggregation = 'token-mean' } = options;
  assertThresholds({ deltaLow, deltaHigh });
  assertRatioCap(ratioCap);
  const loss: Loss = (inputs) =>
    sumTerms({
      inputs,
      aggregation,
      heldAs: 'maskFraction',
      term(token) {
        const difference = Math.exp(token.logprob) - Math.exp(token.rolloutLogprob);
        const masked = token.advantage > 0 ? difference > deltaHigh : difference < -deltaLow;
        return masked ? MASKED : cappedRatioTerm(token, ratioCap);
      },
    });
  if (Number.isFinite(ratioCap)) return loss;
  return Object.assign(loss, { engineLoss: { name: 'dppo', config: { delta_low: deltaLow, delta_high: deltaHigh } } });
}
