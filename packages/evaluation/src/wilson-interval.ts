import { TadpoleError } from '@tadpole/contracts';
import { normalQuantile } from './normal-quantile.js';

/**
 * Wilson's score interval for a rate, without continuity correction. It lies in [0, 1], contains the
 * estimate, and has width even when nothing or everything succeeded.
 * Source: Newcombe, Statistics in Medicine 17 (1998), method 3.
 *
 * @throws TadpoleError `invalid-input` for counts that are no counts, no trials, or a confidence outside [0.5, 0.999999].
 */
export function wilsonInterval(options: {
  successes: number;
  trials: number;
  /** @default 0.95 */
  confidence?: number;
}): [number, number] {
  const { successes, trials, confidence = 0.95 } = options;
  if (!Number.isInteger(successes) || !Number.isInteger(trials) || successes < 0 || trials < 1 || successes > trials) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected 0 <= successes <= trials with at least one trial, got ${successes} of ${trials}: nothing can be said about a rate without trials.`,
    });
  }
  const z = confidencePoint(confidence);
  const estimate = successes / trials;
  const spread = z * Math.sqrt((estimate * (1 - estimate)) / trials + (z * z) / (4 * trials * trials));
  const centre = estimate + (z * z) / (2 * trials);
  const scale = 1 + (z * z) / trials;
  const low = successes === 0 ? 0 : (centre - spread) / scale;
  const high = successes === trials ? 1 : (centre + spread) / scale;
  return [low, high];
}

/** The normal point z with `confidence` of the probability within [-z, z]. */
export function confidencePoint(confidence: number): number {
  if (!(confidence >= 0.5 && confidence <= 0.999999)) {
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a confidence in [0.5, 0.999999], got ${confidence}.` });
  }
  return normalQuantile(0.5 + confidence / 2);
}
