import type { Loss } from '@tadpole/contracts';
import { assertRatioCap, cappedRatioTerm } from './capped-ratio.js';
import { type Aggregation, prepareTokens } from './prepare-tokens.js';
import { MASKED, sumTerms } from './sum-terms.js';
import { assertThresholds } from './thresholds.js';

/** Keeps the logarithms finite where a probability is 1. */
const KL_EPSILON = 1e-8;

/**
 * DPPO with the Binary-KL mask (arXiv 2602.04879): the loss of {@link dppoBinaryTv}, another mask. With
 *
 *     kl = q * (ln q - ln p) + (1 - q) * ln((1 - q + 1e-8) / (1 - p + 1e-8)),
 *
 * the divergence between "this token" and "any other" under the sampler's and the current policy, a token is masked when
 * A > 0, p > q and kl > deltaHigh, or A < 0, p < q and kl > deltaLow. The mask is constant under the gradient, so
 * dLoss/dlogprob = -A * rho / |T| where kept and exactly 0 where masked. The anchor q is recorded, never recomputed. Minimise.
 *
 * Metrics: those of the ratio, `loss`, `maskFraction`, `binaryKlMean` and `binaryKlMax` over trained tokens.
 *
 * @throws TadpoleError `invalid-input` for a negative threshold or a cap below 1.
 */
export function dppoBinaryKl(
  options: {
    /** Largest divergence of a token that became rarer while its advantage is negative. @default 0.05 */
    deltaLow?: number;
    /** Largest divergence of a token that became likelier while its advantage is positive. @default 0.05 */
    deltaHigh?: number;
    /** Largest weight of a token's gradient; see {@link dppoBinaryTv}. @default no cap */
    ratioCap?: number;
    /** @default 'token-mean' */
    aggregation?: Aggregation;
  } = {},
): Loss {
  const { deltaLow = 0.05, deltaHigh = 0.05, ratioCap = Number.POSITIVE_INFINITY, aggregation = 'token-mean' } = options;
  assertThresholds({ deltaLow, deltaHigh });
  assertRatioCap(ratioCap);
  return (inputs) => {
    const output = sumTerms({
      inputs,
      aggregation,
      heldAs: 'maskFraction',
      term(token) {
        const { advantage, logprob, rolloutLogprob, logRatio } = token;
        const kl = binaryKl(logprob, rolloutLogprob);
        const masked = advantage > 0 ? logRatio > 0 && kl > deltaHigh : advantage < 0 && logRatio < 0 && kl > deltaLow;
        return masked ? MASKED : cappedRatioTerm(token, ratioCap);
      },
    });
    const { trained } = prepareTokens(inputs, 'sum');
    const divergences = trained.map((t) => binaryKl(inputs.logprobs[t] ?? 0, inputs.rolloutLogprobs[t] ?? 0));
    const binaryKlMean = divergences.reduce((sum, divergence) => sum + divergence, 0) / divergences.length;
    const binaryKlMax = divergences.reduce((largest, divergence) => Math.max(largest, divergence), 0);
    return { ...output, metrics: { ...output.metrics, binaryKlMean, binaryKlMax } };
  };
}

function binaryKl(logprob: number, rolloutLogprob: number): number {
  // Single-precision engines give log-probabilities a little above 0.
  const p = Math.min(1, Math.exp(logprob));
  const q = Math.min(1, Math.exp(rolloutLogprob));
  return q * (rolloutLogprob - logprob) + (1 - q) * Math.log((1 - q + KL_EPSILON) / (1 - p + KL_EPSILON));
}
