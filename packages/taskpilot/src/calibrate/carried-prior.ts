import { type Checkpoint, type CheckpointCount, carriedLikelihood } from './carried-likelihood.js';
import { type GridPrior, gridPrior } from './grid-prior.js';
import type { CalibrationCandidate } from './measurement.js';
import type { PriorModel } from './prior-model.js';

/** The prior of a candidate at the last of `checkpoints`, with what earlier rollouts of the task itself say. */
export type CarriedPriorOf = (options: {
  candidate: CalibrationCandidate;
  counts: readonly CheckpointCount[];
  checkpoints: readonly Checkpoint[];
}) => GridPrior;

/**
 * Joins a prior model and {@link carriedLikelihood}. Tasks with the same prior and the same past get the same
 * object, so that a decision table is built once for all of them.
 */
export function createCarriedPrior(options: { priors: PriorModel; drift: number }): CarriedPriorOf {
  const { priors, drift } = options;
  const kept = new WeakMap<GridPrior, Map<string, GridPrior>>();
  return ({ candidate, counts, checkpoints }) => {
    const prior = priors.priorOf({ candidate, checkpoints });
    if (counts.length === 0) return prior;
    const past = kept.get(prior) ?? new Map<string, GridPrior>();
    kept.set(prior, past);
    const key = JSON.stringify([checkpoints, counts.map(({ checkpoint, successes, trials }) => [checkpoint, successes, trials])]);
    const known = past.get(key);
    if (known !== undefined) return known;
    const likelihood = carriedLikelihood({ rates: prior.rates, counts, checkpoints, drift });
    const carried = gridPrior({ rates: prior.rates, weights: prior.weights.map((weight, index) => weight * (likelihood[index] ?? 0)) });
    past.set(key, carried);
    return carried;
  };
}
