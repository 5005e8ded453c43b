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
  let row: Float64Array[] = [Float64Array.from(prior.weights)];
  for (let trials = 0; trials <= maxTrials; trials++) {
    const described = row.map((weights, successes) => describe(weights, trials === 0 ? 0.5 : successes / trials));
    means.push(described.map(({ mean }) => mean));
    probabilitiesInBand.push(described.map(({ within }) => within));
    row = [...row.map((weights) => weights.map((weight, index) => weight * (1 - (prior.rates[index] ?? 0)))), afterSuccess(row[trials])];
  }
  return { means, probabilitiesInBand };

  function afterSuccess(weights: Float64Array | undefined): Float64Array {
    return (weights ?? new Float64Array()).map((weight, index) => weight * (prior.rates[index] ?? 0));
  }

  /** Scales `weights` to sum to 1 in place; a state that the prior makes impossible is out of the band at `fallback`. */
  function describe(weights: Float64Array, fallback: number): { mean: number; within: number } {
    let [total, mean, within] = [0, 0, 0];
    for (let index = 0; index < weights.length; index++) {
      const weight = weights[index] ?? 0;
      total += weight;
      mean += weight * (prior.rates[index] ?? 0);
      if (inBand[index]) within += weight;
    }
    if (total === 0) return { mean: fallback, within: 0 };
    for (let index = 0; index < weights.length; index++) weights[index] = (weights[index] ?? 0) / total;
    return { mean: mean / total, within: within / total };
  }
}
