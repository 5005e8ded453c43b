import type { Loss } from '@tadpole/contracts';
import { type Aggregation, prepareTokens } from './prepare-tokens.js';
import { ratioMetrics } from './ratio-metrics.js';

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
 * Metrics: those of the ratio, `loss`, and `maskFraction`, the masked share of trained tokens.
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
    /** `sum` leaves the division by |T| out. @default 'token-mean' */
    aggregation?: Aggregation;
  } = {},
): Loss {
  const { deltaLow = 0.2, deltaHigh = 0.2, ratioCap = Number.POSITIVE_INFINITY, aggregation = 'token-mean' } = options;
  return (inputs) => {
    const { trained, denominator } = prepareTokens(inputs, aggregation);
    const gradient = new Float64Array(inputs.logprobs.length);
    let loss = 0;
    let masked = 0;
    for (const t of trained) {
      const logprob = inputs.logprobs[t] ?? 0;
      const rolloutLogprob = inputs.rolloutLogprobs[t] ?? 0;
      const advantage = inputs.advantages[t] ?? 0;
      const difference = Math.exp(logprob) - Math.exp(rolloutLogprob);
      if (advantage > 0 ? difference > deltaHigh : difference < -deltaLow) {
        masked += 1;
        continue;
      }
      if (advantage === 0) continue;
      const logRatio = logprob - rolloutLogprob;
      const ratio = Math.exp(logRatio);
      const weight = Math.min(ratio, ratioCap);
      const term = ratio <= ratioCap ? ratio : ratioCap * (1 + logRatio - Math.log(ratioCap));
      loss -= (advantage * term) / denominator;
      gradient[t] = -(advantage * weight) / denominator;
    }
    return { loss, gradient, metrics: { loss, maskFraction: masked / trained.length, ...ratioMetrics(inputs, trained) } };
  };
}
