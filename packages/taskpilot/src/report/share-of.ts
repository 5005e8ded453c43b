import type { Rate } from '@tadpole/contracts';

/** The point z of the normal distribution with 95 % of the probability in [-z, z]. */
export const normalPoint = 1.959963984540054;

/**
 * A share with its 95 % Wilson score interval, or null where there is nothing to take a share of. Source: Newcombe,
 * Statistics in Medicine 17 (1998), method 3.
 */
export function shareOf(options: { successes: number; trials: number }): Rate | null {
  const { successes, trials } = options;
  if (trials === 0) return null;
  const z = normalPoint;
  const share = successes / trials;
  const spread = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  const centre = share + (z * z) / (2 * trials);
  const scale = 1 + (z * z) / trials;
  const low = successes === 0 ? 0 : (centre - spread) / scale;
  const high = successes === trials ? 1 : (centre + spread) / scale;
  return { successes, trials, rate: share, interval: [low, high] };
}
