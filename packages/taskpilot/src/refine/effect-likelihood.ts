import { driftedLikelihood } from '../calibrate/carried-likelihood.js';
import type { GridPrior } from '../calibrate/grid-prior.js';
import { logit } from '../calibrate/logit.js';
import type { RolloutCount } from './parents-rate.js';

/** Effects [E] that are weighed, in logits. */
const effects: readonly number[] = Array.from({ length: 121 }, (_, index) => (index - 60) / 10);

/** Standard deviations [S] of the effect between the children of one move, in logits. */
const spreads: readonly number[] = [0.25, 0.5, 1, 1.5];

/** What is known of a move's effect on the logit of the solve rate. */
export interface MoveEffect {
  readonly mean: number;
  /** Of the mean. */
  readonly standardError: number;
  /** Standard deviation between children. */
  readonly spread: number;
  /** Measured ones, from which it was learned. */
  readonly children: number;
}

/** Log-likelihood [S][E] of each spread and effect, up to a constant: the sum over children of what each says. */
export type EffectLikelihood = readonly (readonly number[])[];

/** Of no child at all. */
export function noLikelihood(): EffectLikelihood {
  return spreads.map(() => effects.map(() => 0));
}

/**
 * What one child says: for spread s and effect e, the probability of its count where its logit is the parents' plus e plus a normal
 * variable of standard deviation s, averaged over the parents' posterior. By the likelihood principle it does not matter that
 * the parents were chosen for their counts or that the child's rollouts ended at a verdict.
 */
export function childLikelihood(options: {
  child: RolloutCount;
  /** Solve rate expected without an effect. */
  base: GridPrior;
}): EffectLikelihood {
  const { child, base } = options;
  const points = base.rates.flatMap((rate, index) => {
    const weight = base.weights[index] ?? 0;
    return weight < 1e-9 ? [] : [{ at: logit(rate), weight }];
  });
  return spreads.map((drift) => {
    const likelihoodAt = driftedLikelihood({ ...child, drift });
    return effects.map((effect) => {
      const likelihood = points.reduce((sum, { at, weight }) => sum + weight * likelihoodAt(at + effect), 0);
      return Math.log(Math.max(likelihood, 1e-300));
    });
  });
}

/** Both together. */
export function addLikelihoods(left: EffectLikelihood, right: EffectLikelihood): EffectLikelihood {
  return left.map((row, index) => row.map((value, at) => value + (right[index]?.[at] ?? 0)));
}

/** The posterior under a normal prior of the effect and equally likely spreads. */
export function effectPosterior(options: {
  expected: { readonly mean: number; readonly spread: number };
  likelihood: EffectLikelihood;
}): Omit<MoveEffect, 'children'> {
  const { expected, likelihood } = options;
  const logs = likelihood.map((row) =>
    row.map((value, index) => value - (((effects[index] ?? 0) - expected.mean) / expected.spread) ** 2 / 2),
  );
  const most = Math.max(...logs.flat());
  let [total, mean, square, variance] = [0, 0, 0, 0];
  for (const [row, values] of logs.entries()) {
    for (const [index, value] of values.entries()) {
      const weight = Math.exp(value - most);
      const effect = effects[index] ?? 0;
      total += weight;
      mean += weight * effect;
      square += weight * effect ** 2;
      variance += weight * (spreads[row] ?? 0) ** 2;
    }
  }
  mean /= total;
  return { mean, standardError: Math.sqrt(Math.max(0, square / total - mean ** 2)), spread: Math.sqrt(variance / total) };
}
