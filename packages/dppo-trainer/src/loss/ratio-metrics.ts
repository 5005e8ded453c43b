import type { LossInputs } from '@tadpole/contracts';

/**
 * Numbers about how far the current policy has moved from the sampler, over the trained tokens: mean and
 * largest importance ratio p/q, mean and largest |p - q|, and `approxKl`, the estimate
 * mean(p/q - 1 - ln(p/q)) of KL(q || p), which is never negative (Schulman's k3).
 */
export function ratioMetrics(inputs: LossInputs, trained: readonly number[]): Record<string, number> {
  let ratioSum = 0;
  let ratioMax = 0;
  let differenceSum = 0;
  let differenceMax = 0;
  let klSum = 0;
  for (const t of trained) {
    const logprob = inputs.logprobs[t] ?? 0;
    const rolloutLogprob = inputs.rolloutLogprobs[t] ?? 0;
    const logRatio = logprob - rolloutLogprob;
    const ratio = Math.exp(logRatio);
    const difference = Math.abs(Math.exp(logprob) - Math.exp(rolloutLogprob));
    ratioSum += ratio;
    ratioMax = Math.max(ratioMax, ratio);
    differenceSum += difference;
    differenceMax = Math.max(differenceMax, difference);
    klSum += Math.expm1(logRatio) - logRatio;
  }
  const count = trained.length;
  return {
    tokens: count,
    ratioMean: ratioSum / count,
    ratioMax,
    probabilityDifferenceMean: differenceSum / count,
    probabilityDifferenceMax: differenceMax,
    approxKl: klSum / count,
  };
}
