import { type GridPrior, gridPrior } from '../calibrate/grid-prior.js';
import { logistic, logit } from '../calibrate/logit.js';

/** Scored rollouts of one task at one checkpoint. */
export interface RolloutCount {
  readonly successes: number;
  readonly trials: number;
}

/**
 * Beta(.4, .4) on rates a tenth of a logit apart within ±10 logits, what lies beyond at the ends: solve rates near 0 and 1 differ
 * here as much as they do in logits, which a grid of equally spaced rates cannot tell.
 */
export function logitSpacedPrior(): GridPrior {
  const [shape, step, last] = [0.4, 0.1, 200];
  const rates = Array.from({ length: last + 1 }, (_, index) => logistic((index - last / 2) * step));
  // the density falls by exp(-shape x) beyond the ends; its integral from half a step inside, in steps
  const beyond = Math.exp((shape * step) / 2) / (shape * step);
  const weights = rates.map((rate, index) => (rate * (1 - rate)) ** shape * (index === 0 || index === last ? beyond : 1));
  return gridPrior({ rates, weights });
}

/**
 * The solve rate of a task that is solved when each of its parents would be, on the grid of `prior`: one parent's posterior, or the
 * product of several independent ones.
 */
export function parentsRate(options: {
  parents: readonly RolloutCount[];
  /** Of each parent before its rollouts. Rates in ascending order. */
  prior: GridPrior;
}): GridPrior {
  const { parents, prior } = options;
  const [first = prior.weights, ...further] = parents.map((count) => posteriorWeights(count, prior));
  return gridPrior({ rates: prior.rates, weights: further.reduce((left, right) => productWeights(left, right, prior.rates), first) });
}

function posteriorWeights({ successes, trials }: RolloutCount, prior: GridPrior): number[] {
  const logs = prior.rates.map((rate) => times(successes, Math.log(rate)) + times(trials - successes, Math.log(1 - rate)));
  const most = Math.max(...logs);
  const weights = logs.map((value, index) => Math.exp(value - most) * (prior.weights[index] ?? 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Nothing of a logarithm of 0 is 0. */
function times(count: number, log: number): number {
  return count === 0 ? 0 : count * log;
}

function productWeights(left: readonly number[], right: readonly number[], rates: readonly number[]): number[] {
  const weights = new Array<number>(rates.length).fill(0);
  const logits = rates.map(logit);
  for (const [i, one] of rates.entries()) {
    for (const [j, other] of rates.entries()) {
      const at = nearest(logits, logit(one * other));
      weights[at] = (weights[at] ?? 0) + (left[i] ?? 0) * (right[j] ?? 0);
    }
  }
  return weights;
}

/** Index of the value that is nearest, in ascending ones. */
function nearest(values: readonly number[], wanted: number): number {
  let [low, high] = [0, values.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= wanted) low = middle;
    else high = middle;
  }
  return wanted - (values[low] ?? 0) <= (values[high] ?? 0) - wanted ? low : high;
}
