import { TadpoleError } from '@tadpole/contracts';

/**
 * The unbiased estimate of pass@k for one task: the probability that at least one of k samples, drawn
 * without replacement from the n that were taken, passed; `1 - C(n - c, k) / C(n, k)`. Average it over
 * tasks. Source: Chen et al., arXiv 2107.03374, section 2.1.
 *
 * @throws TadpoleError `invalid-input` for counts that are no counts, or k above the number of samples.
 */
export function passAtK(options: { samples: number; successes: number; k: number }): number {
  const { samples, successes, k } = options;
  if (![samples, successes, k].every(Number.isInteger) || successes < 0 || successes > samples || k < 1 || k > samples) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected 0 <= successes <= samples and 1 <= k <= samples, got ${successes} of ${samples} with k ${k}: pass@k needs at least k scored samples.`,
    });
  }
  let allFail = 1;
  for (let n = samples - successes + 1; n <= samples; n += 1) allFail *= Math.max(0, 1 - k / n);
  return 1 - allFail;
}
