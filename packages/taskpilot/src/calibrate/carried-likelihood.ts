import { logistic, logit, normalNodes } from './logit.js';

const step = 0.1;
const edge = 10;
const points = 2 * Math.round(edge / step) + 1;

/** Ability of the policy at a checkpoint, in logits above checkpoint 0. */
export interface Checkpoint {
  readonly ability: number;
  /** Of the step from the checkpoint before. */
  readonly standardError: number;
}

/** Scored rollouts of one task at one checkpoint. */
export interface CheckpointCount {
  readonly checkpoint: number;
  readonly successes: number;
  readonly trials: number;
}

/**
 * What a task's earlier rollouts say about its solve rate at the last of `checkpoints`: the likelihood at each of
 * `rates` [R], largest value 1. The Rasch model moves every task by the gain in ability; each checkpoint adds
 * an independent normal drift of the item and the error of the gain.
 */
export function carriedLikelihood(options: {
  rates: readonly number[];
  /** In any order. */
  counts: readonly CheckpointCount[];
  checkpoints: readonly Checkpoint[];
  /** Standard deviation of an item's own drift a checkpoint, in logits. @default 0.6 */
  drift?: number;
}): number[] {
  const { rates, checkpoints, drift = 0.6 } = options;
  const ordered = [...options.counts].filter(({ trials }) => trials > 0).sort((a, b) => a.checkpoint - b.checkpoint);
  let values: Float64Array = new Float64Array(points).fill(1);
  let at = ordered[0]?.checkpoint ?? 0;
  for (const count of ordered) {
    values = carry({ values, checkpoints, drift, from: at, to: count.checkpoint });
    const seen = binomialOnGrid(count);
    values = normalised(values.map((value, index) => value * (seen[index] ?? 0)));
    at = count.checkpoint;
  }
  values = carry({ values, checkpoints, drift, from: at, to: checkpoints.length - 1 });
  return rates.map((rate) => valueAt(values, logit(rate)));
}

/**
 * Likelihood of `successes` of `trials` after an item's own drift, as a function of the logit before the drift;
 * the caller adds the gain in ability.
 */
export function driftedLikelihood(options: { successes: number; trials: number; drift: number }): (value: number) => number {
  const values = smoothed({ values: binomialOnGrid(options), shift: 0, spread: options.drift });
  return (value) => valueAt(values, value);
}

function binomialOnGrid({ successes, trials }: { successes: number; trials: number }): Float64Array {
  return Float64Array.from({ length: points }, (_, index) => {
    const rate = logistic(index * step - edge);
    return rate ** successes * (1 - rate) ** (trials - successes);
  });
}

function carry(options: {
  values: Float64Array;
  checkpoints: readonly Checkpoint[];
  drift: number;
  from: number;
  to: number;
}): Float64Array {
  const { checkpoints, drift, from, to } = options;
  if (to <= from) return options.values;
  const shift = (checkpoints[to]?.ability ?? 0) - (checkpoints[from]?.ability ?? 0);
  const variance = checkpoints.slice(from + 1, to + 1).reduce((sum, { standardError }) => sum + drift ** 2 + standardError ** 2, 0);
  return smoothed({ values: options.values, shift, spread: Math.sqrt(variance) });
}

function smoothed({ values, shift, spread }: { values: Float64Array; shift: number; spread: number }): Float64Array {
  const nodes = normalNodes();
  return Float64Array.from({ length: points }, (_, index) =>
    nodes.reduce((sum, { at, weight }) => sum + weight * valueAt(values, index * step - edge - shift + at * spread), 0),
  );
}

function normalised(values: Float64Array): Float64Array {
  const most = Math.max(...values);
  return values.map((value) => value / most);
}

/** Linear between the grid's points, constant beyond its ends. */
function valueAt(values: Float64Array, value: number): number {
  const position = Math.min(points - 1, Math.max(0, (value + edge) / step));
  const left = Math.min(points - 2, Math.floor(position));
  const share = position - left;
  return (1 - share) * (values[left] ?? 0) + share * (values[left + 1] ?? 0);
}
