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
  const weights = new Float64Array(prior.weights);
  if (trials === 0) return weights;
  let total = 0;
  for (let index = 0; index < weights.length; index++) {
    const rate = prior.rates[index] as number;
    (weights[index] as number) *= rate ** successes * (1 - rate) ** (trials - successes);
    total += weights[index] as number;
  }
  for (let index = 0; index < weights.length; index++) (weights[index] as number) /= total;
  return weights;
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
  for (let index = 0; index < weights.length; index++) {
    const [weight, rate] = [weights[index] as number, prior.rates[index] as number];
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
