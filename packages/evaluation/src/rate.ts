import type { Rate } from '@tadpole/contracts';
import { wilsonInterval } from './wilson-interval.js';

/**
 * A rate with its Wilson interval, in the form that events carry. Unscored rollouts are not trials: leave
 * them out and report their number beside it.
 *
 * @throws TadpoleError `invalid-input` for impossible counts and for no trials.
 */
export function rate(options: {
  successes: number;
  trials: number;
  /** @default 0.95 */
  confidence?: number;
}): Rate {
  const { successes, trials } = options;
  return { successes, trials, rate: successes / trials, interval: wilsonInterval(options) };
}
