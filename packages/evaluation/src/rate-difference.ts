import type { Rate } from '@tadpole/contracts';
import { rate } from './rate.js';

/** The difference of two independent rates. */
export interface RateDifference {
  readonly first: Rate;
  readonly second: Rate;
  /** Second minus first. */
  readonly difference: number;
  readonly interval: [low: number, high: number];
  /** The interval leaves 0 out. */
  readonly differs: boolean;
}

/**
 * How two independent rates differ, with Newcombe's hybrid score interval (Statistics in Medicine 17 (1998) 873–890, method 10), which is made
 * of the two Wilson intervals and is good for rates near 0 and 1.
 *
 * @throws TadpoleError `invalid-input` for impossible counts, no trials, or a confidence outside [0.5, 0.999999].
 */
export function rateDifference(options: {
  first: { successes: number; trials: number };
  second: { successes: number; trials: number };
  /** @default 0.95 */
  confidence?: number;
}): RateDifference {
  const { confidence } = options;
  const level = confidence === undefined ? {} : { confidence };
  const first = rate({ ...options.first, ...level });
  const second = rate({ ...options.second, ...level });
  const difference = second.rate - first.rate;
  const low = difference - Math.hypot(second.rate - second.interval[0], first.interval[1] - first.rate);
  const high = difference + Math.hypot(second.interval[1] - second.rate, first.rate - first.interval[0]);
  return { first, second, difference, interval: [low, high], differs: low > 0 || high < 0 };
}
