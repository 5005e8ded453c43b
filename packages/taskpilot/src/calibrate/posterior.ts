import { TadpoleError } from '@tadpole/contracts';
import { type Band, betaPrior, defaultBand, type GridPrior } from './grid-prior.js';

/** What some rollouts say about a task's solve rate. */
export interface Posterior {
  readonly mean: number;
  /** Central 95 % interval, on the prior's grid. */
  readonly interval: readonly [number, number];
  readonly probabilityInBand: number;
}

/** Weights [R] of the prior's rates after `successes` of `trials`; they sum to 1. */
function posteriorWeights(options: { successes: number; trials: number; prior: GridPrior }): Float64Array {
  const { successes, trials, prior } = options;
  if (!Number.isInteger(successes) || !Number.isInteger(trials) || successes < 0 || successes > trials) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected 0 <= successes <= trials, whole numbers, got ${successes} of ${trials}.`,
    });
  }
  const joint = Float64Array.from(prior.weights);
  if (trials > 0) {
    for (const [index, rate] of prior.rates.entries()) (joint[index] as number) *= rate ** successes * (1 - rate) ** (trials - successes);
  }
  let total = 0;
  for (const weight of joint) total += weight;
  return joint.map((weight) => weight / total);
}

/**
 * The solve rate given scored rollouts alone. Report this, not k of n: a task accepted at 4 of 8 is in the
 * band with a probability near .7 only (taskpilot.md section 5).
 */
export function posterior(options: {
  successes: number;
  trials: number;
  /** @default Beta(.4, .4) */
  prior?: GridPrior;
  /** @default [0.3, 0.7] */
  band?: Band;
}): Posterior {
  const { successes, trials, prior = betaPrior(), band = defaultBand } = options;
  const weights = posteriorWeights({ successes, trials, prior });
  let [mean, probabilityInBand] = [0, 0];
  for (const [index, weight] of weights.entries()) {
    const rate = prior.rates[index] as number;
    mean += weight * rate;
    if (rate >= band[0] && rate <= band[1]) probabilityInBand += weight;
  }
  return { mean, interval: [quantile(0.025), quantile(0.975)], probabilityInBand };

  function quantile(share: number): number {
    let below = 0;
    for (const [index, rate] of prior.rates.entries()) {
      below += weights[index] ?? 0;
      if (below >= share) return rate;
    }
    return prior.rates.at(-1) ?? 1;
  }
}
