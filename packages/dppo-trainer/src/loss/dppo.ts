import { type Loss, TadpoleError } from '@tadpole/contracts';
import { dppoBinaryKl } from './dppo-binary-kl.js';
import { dppoBinaryTv } from './dppo-binary-tv.js';
import type { Aggregation } from './prepare-tokens.js';

/** The divergences of arXiv 2602.04879. The last two compare the K likeliest tokens and are not offered; see {@link dppo}. */
export type DppoDivergence = 'binary-tv' | 'binary-kl' | 'top-k-tv' | 'top-k-kl';

/**
 * DPPO with the divergence that a configuration names. Options that are left out have the defaults of the loss:
 * {@link dppoBinaryTv} or {@link dppoBinaryKl}.
 *
 * @throws TadpoleError `unsupported` for a top-K divergence: it needs the sampler's K likeliest tokens at every sampled position
 * and the current log-probabilities of the same ids, and neither a sampler nor a training client gives them. The paper found no
 * gain from them. `invalid-input` for a threshold or a cap that the loss refuses.
 */
export function dppo(options: {
  divergence: DppoDivergence;
  deltaLow?: number;
  deltaHigh?: number;
  ratioCap?: number;
  aggregation?: Aggregation;
}): Loss {
  const { divergence, ...settings } = options;
  if (divergence === 'binary-tv') return dppoBinaryTv(settings);
  if (divergence === 'binary-kl') return dppoBinaryKl(settings);
  throw new TadpoleError({
    code: 'unsupported',
    message: `Expected divergence "binary-tv" or "binary-kl", got "${divergence}". A top-K divergence needs the sampler's K likeliest tokens at every sampled position, and the current log-probabilities of the same ids; samplers and training clients give those of the sampled token alone. Take a binary divergence, which the paper found as good.`,
  });
}
