import type { Loss } from '@tadpole/contracts';
import { type Aggregation, prepareTokens } from './prepare-tokens.js';
import { ratioMetrics } from './ratio-metrics.js';

/**
 * Policy gradient with importance weights and no trust region:
 *
 *     loss = -(1/|T|) * sum over t of A_t * rho_t,   dLoss/dlogprob = -A * rho / |T|
 *
 * with rho = exp(logprob - rolloutLogprob). Minimise. This is what a DPPO loss is when nothing is masked,
 * and the `importance_sampling` loss of the Tinker protocol when `aggregation` is `sum`.
 */
export function importanceSampling(
  options: {
    /** @default 'token-mean' */
    aggregation?: Aggregation;
  } = {},
): Loss {
  const { aggregation = 'token-mean' } = options;
  return (inputs) => {
    const { trained, denominator } = prepareTokens(inputs, aggregation);
    const gradient = new Float64Array(inputs.logprobs.length);
    let loss = 0;
    for (const t of trained) {
      const advantage = inputs.advantages[t] ?? 0;
      if (advantage === 0) continue;
      const ratio = Math.exp((inputs.logprobs[t] ?? 0) - (inputs.rolloutLogprobs[t] ?? 0));
      loss -= (advantage * ratio) / denominator;
      gradient[t] = -(advantage * ratio) / denominator;
    }
    return { loss, gradient, metrics: { loss, maskFraction: 0, ...ratioMetrics(inputs, trained) } };
  };
}
