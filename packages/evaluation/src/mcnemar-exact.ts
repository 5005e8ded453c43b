import { TadpoleError } from '@tadpole/contracts';

/**
 * McNemar's exact test of two runs over the same tasks: given the pairs on which they disagree, the two-sided
 * p-value of so uneven a split if both directions were equally likely, `min(1, 2 P(X <= min(b, c)))` with
 * X binomial(b + c, 1/2). Stable for large counts, because the tail is summed from its largest term. No
 * disagreement gives 1. Pairs must be independent; several samples of one task are not quite.
 *
 * @throws TadpoleError `invalid-input` for negative or fractional counts.
 */
export function mcnemarExact(options: {
  /** Pairs that passed before only. */
  onlyBefore: number;
  /** Pairs that passed after only. */
  onlyAfter: number;
}): { pValue: number; discordant: number } {
  const { onlyBefore, onlyAfter } = options;
  if (!Number.isInteger(onlyBefore) || !Number.isInteger(onlyAfter) || onlyBefore < 0 || onlyAfter < 0) {
    throw new TadpoleError({ code: 'invalid-input', message: `Expected two counts of pairs, got ${onlyBefore} and ${onlyAfter}.` });
  }
  const discordant = onlyBefore + onlyAfter;
  const smaller = Math.min(onlyBefore, onlyAfter);
  if (discordant === 0 || 2 * smaller === discordant) return { pValue: 1, discordant };
  let relativeSum = 1;
  let term = 1;
  for (let k = smaller; k > 0 && term > 1e-18; k -= 1) {
    term *= k / (discordant - k + 1);
    relativeSum += term;
  }
  const logLargest = logBinomial(discordant, smaller) - discordant * Math.LN2;
  return { pValue: Math.min(1, 2 * Math.exp(logLargest + Math.log(relativeSum))), discordant };
}

function logBinomial(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** ln n!, exact sums below 20 and Stirling's series with an error below 1e-14 from there on. */
function logFactorial(n: number): number {
  if (n < 20) {
    let sum = 0;
    for (let k = 2; k <= n; k += 1) sum += Math.log(k);
    return sum;
  }
  const inverse = 1 / n;
  const series = inverse * (1 / 12 - inverse ** 2 * (1 / 360 - inverse ** 2 * (1 / 1260 - inverse ** 2 / 1680)));
  return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + series;
}
