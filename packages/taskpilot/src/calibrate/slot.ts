import type { Checkpoint, CheckpointCount } from './carried-likelihood.js';
import type { CarriedPriorOf } from './carried-prior.js';
import type { DecisionRule } from './decision-rule.js';
import type { GridPrior } from './grid-prior.js';
import type { TaskCount } from './measure-wave.js';
import type { CalibrationCandidate } from './measurement.js';

/** A candidate under measurement, with the rule that its prior makes. */
export interface Slot {
  readonly count: TaskCount<CalibrationCandidate>;
  readonly prior: GridPrior;
  readonly rule: DecisionRule;
  /** From the source, or from the bank. */
  readonly origin: 'fresh' | 'bank';
}

/** Prior and begun count of a candidate, before a rule is made of them. */
export type PreparedSlot = Pick<Slot, 'count' | 'prior'>;

/** Splits what is known of a candidate into this checkpoint's count and the prior that all else makes. */
export function prepareSlot(options: {
  candidate: CalibrationCandidate;
  counts: readonly CheckpointCount[];
  checkpoints: readonly Checkpoint[];
  carriedPriorOf: CarriedPriorOf;
}): PreparedSlot {
  const { candidate, counts, checkpoints, carriedPriorOf } = options;
  const now = checkpoints.length - 1;
  const { successes = 0, trials = 0 } = counts.find(({ checkpoint }) => checkpoint === now) ?? {};
  const earlier = counts.filter(({ checkpoint }) => checkpoint < now);
  return {
    count: { task: candidate, successes, trials, unscored: 0, asked: trials },
    prior: carriedPriorOf({ candidate, counts: earlier, checkpoints }),
  };
}

/** Makes each prior's rule once. */
export function keepRules(ruleFor: (prior: GridPrior) => DecisionRule): (prior: GridPrior) => DecisionRule {
  const kept = new WeakMap<GridPrior, DecisionRule>();
  return (prior) => {
    const rule = kept.get(prior) ?? ruleFor(prior);
    kept.set(prior, rule);
    return rule;
  };
}
