import type { Band, GridPrior } from './grid-prior.js';

/** What every state (k of n) says under a prior; both are indexed `[n][k]`. */
export interface Lattice {
  /** Posterior mean of the solve rate: the chance that the next rollout succeeds. */
  readonly means: readonly (readonly number[])[];
  readonly probabilitiesInBand: readonly (readonly number[])[];
}

/** Posterior of every state up to `maxTrials`, each from its neighbour by one multiplication a grid point. */
export function latticeOf(options: { prior: GridPrior; band: Band; maxTrials: number }): Lattice {
  const { prior, band, maxTrials } = options;
  const inBand = prior.rates.map((rate) => rate >= band[0] && rate <= band[1]);
  const means: number[][] = [];
  const probabilitiesInBand: number[][] = [];
  const rates = Float64Array.from(prior.rates);
  let row: Float64Array[] = [Float64Array.from(prior.weights)];
  for (let trials = 0; trials <= maxTrials; trials++) {
    const described = row.map((weights, successes) => describe(weights, trials === 0 ? 0.5 : successes / trials));
    means.push(described.map(({ mean }) => mean));
    probabilitiesInBand.push(described.map(({ within }) => within));
    if (trials < maxTrials) row = [...row.map((weights) => times(weights, 0)), times(row.at(-1) as Float64Array, 1)];
  }
  return { means, probabilitiesInBand };

  /** Weights after one more failure (0) or success (1). */
  function times(weights: Float64Array, outcome: 0 | 1): Float64Array {
    const next = new Float64Array(rates.length);
    for (let index = 0; index < rates.length; index++) {
      const rate = rates[index] as number;
      next[index] = (weights[index] as number) * (outcome === 1 ? rate : 1 - rate);
    }
    return next;
  }

  /** Scales `weights` to sum to 1 in place; a state that the prior makes impossible is out of the band at `fallback`. */
  function describe(weights: Float64Array, fallback: number): { mean: number; within: number } {
    let [total, mean, within] = [0, 0, 0];
    for (let index = 0; index < rates.length; index++) {
      const weight = weights[index] as number;
      total += weight;
      mean += weight * (rates[index] as number);
      if (inBand[index]) within += weight;
    }
    if (total === 0) return { mean: fallback, within: 0 };
    for (let index = 0; index < rates.length; index++) (weights[index] as number) /= total;
    return { mean: mean / total, within: within / total };
  }
}
