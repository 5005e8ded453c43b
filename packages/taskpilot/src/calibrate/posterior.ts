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
function posteriorWeights(options: { successes: number; trials: number; prior: GridPrior }): number[] {
  const { successes, trials, prior } = options;
  if (!Number.isInteger(successes) || !Number.isInteger(trials) || successes < 0 || successes > trials) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected 0 <= successes <= trials, whole numbers, got ${successes} of ${trials}.`,
    });
  }
  const joint = prior.rates.map((rate, index) => (prior.weights[index] ?? 0) * rate ** successes * (1 - rate) ** (trials - successes));
  const total = joint.reduce((sum, value) => sum + value, 0);
  return joint.map((value) => value / total);
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
  const sumOf = (value: (rate: number) => number) => prior.rates.reduce((sum, rate, index) => sum + (weights[index] ?? 0) * value(rate), 0);
  return {
    mean: sumOf((rate) => rate),
    interval: [quantile(0.025), quantile(0.975)],
    probabilityInBand: sumOf((rate) => (rate >= band[0] && rate <= band[1] ? 1 : 0)),
  };

  function quantile(share: number): number {
    let below = 0;
    for (const [index, rate] of prior.rates.entries()) {
      below += weights[index] ?? 0;
      if (below >= share) return rate;
    }
    return prior.rates.at(-1) ?? 1;
  }
}
