import type { GridPrior } from './grid-prior.js';
import { gridPrior } from './grid-prior.js';
import { logistic, logit } from './logit.js';

/** Scored rollouts of one task. */
export interface Count {
  readonly successes: number;
  readonly trials: number;
  /** How much abler the policy is now than when this was measured, in logits. @default 0 */
  readonly shift?: number;
}

/**
 * The distribution of solve rates behind measured tasks, on the grid of `base`: maximum a posteriori by
 * expectation maximisation, where `base` counts as `pseudoCandidates` further tasks. Few steps, on purpose:
 * the limit of many is a handful of spikes. Without measurements it is `base`.
 *
 * Source: taskpilot.md section 5, default algorithm (1).
 */
export function pooledPrior(options: {
  base: GridPrior;
  counts: readonly Count[];
  /** @default 8 */
  pseudoCandidates?: number;
  /** @default 10 */
  steps?: number;
}): GridPrior {
  const { base, counts, pseudoCandidates = 8, steps = 10 } = options;
  const groups = groupAlike(counts, base.rates);
  const measured = groups.reduce((sum, { tasks }) => sum + tasks, 0);
  if (measured === 0) return base;
  let weights = new Float64Array(base.weights);
  for (let step = 0; step < steps; step++) {
    const next = new Float64Array(base.weights);
    for (let index = 0; index < next.length; index++) (next[index] as number) *= pseudoCandidates;
    for (const { likelihood, tasks } of groups) {
      let total = 0;
      for (let index = 0; index < weights.length; index++) total += (weights[index] as number) * (likelihood[index] as number);
      if (total === 0) continue;
      const share = tasks / total;
      for (let index = 0; index < weights.length; index++)
        (next[index] as number) += share * (weights[index] as number) * (likelihood[index] as number);
    }
    weights = next.map((weight) => weight / (measured + pseudoCandidates));
  }
  return gridPrior({ rates: base.rates, weights: [...weights] });
}

/**
 * {@link pooledPrior} level by level, from the widest group to the narrowest: each level's result is the base
 * of the next, so a group with few measurements resembles the one around it.
 */
export function hierarchicalPrior(options: {
  base: GridPrior;
  /** [levels][measurements of the level] */
  levels: readonly (readonly Count[])[];
  /** @default 8 */
  pseudoCandidates?: number;
}): GridPrior {
  const { base, levels, pseudoCandidates = 8 } = options;
  return levels.reduce((parent, counts) => pooledPrior({ base: parent, counts, pseudoCandidates }), base);
}

/** Tasks with the same count and shift share one likelihood [R]; tasks without a trial say nothing. */
function groupAlike(counts: readonly Count[], rates: readonly number[]) {
  const groups = new Map<string, { likelihood: Float64Array; tasks: number }>();
  for (const { successes, trials, shift = 0 } of counts) {
    if (trials === 0) continue;
    const key = `${successes}/${trials}@${shift}`;
    const group = groups.get(key) ?? { likelihood: likelihoodOf({ successes, trials, shift, rates }), tasks: 0 };
    group.tasks++;
    groups.set(key, group);
  }
  return [...groups.values()];
}

function likelihoodOf(options: { successes: number; trials: number; shift: number; rates: readonly number[] }): Float64Array {
  const { successes, trials, shift, rates } = options;
  return Float64Array.from(rates, (rate) => {
    const before = shift === 0 ? rate : logistic(logit(rate) - shift);
    return before ** successes * (1 - before) ** (trials - successes);
  });
}
