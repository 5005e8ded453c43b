import type { TrainingSequence } from '../engine/training/batch-feeds.js';

/** A training sequence of the base: ids [T] and the weight [T] of the loss at predicting each; the first weight is unused. */
export interface WeightedSequence {
  readonly ids: readonly number[];
  readonly weights: readonly number[];
}

/** Joins runs of ids of one weight each. */
export function weighRuns(runs: readonly { readonly ids: readonly number[]; readonly weight: number }[]): WeightedSequence {
  return { ids: runs.flatMap(({ ids }) => ids), weights: runs.flatMap(({ ids, weight }) => ids.map(() => weight)) };
}

/** Below this weight a position is light: it may be dropped from a batch to save its vocabulary projection. */
const LIGHT_WEIGHT = 0.5;

/**
 * The sequences cut to `contextTokens` with the gradient of their weighted mean cross entropy. Of the light positions
 * a random third is kept with three times the weight, which leaves the expected gradient as it is at half the cost.
 */
export function trainingBatch(options: { sequences: readonly WeightedSequence[]; contextTokens: number; random: () => number }): {
  sequences: TrainingSequence[];
  logprobGradients: Float32Array[];
} {
  const { contextTokens, random } = options;
  const thin = (weight: number) => (weight >= LIGHT_WEIGHT ? weight : random() < 1 / 3 ? 3 * weight : 0);
  const cut = options.sequences.map(({ ids, weights }) => ({
    ids: ids.slice(0, contextTokens + 1),
    weights: weights.slice(1, contextTokens + 1),
  }));
  const total = cut.reduce((sum, { weights }) => sum + weights.reduce((part, weight) => part + weight, 0), 0);
  return {
    sequences: cut.map(({ ids }) => ({ inputs: Int32Array.from(ids.slice(0, -1)), targets: Int32Array.from(ids.slice(1)) })),
    logprobGradients: cut.map(({ weights }) => Float32Array.from(weights, (weight) => -thin(weight) / total)),
  };
}
