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
  const rates = new Float64Array(prior.rates);
  const points = rates.length;
  const inBand = prior.rates.map((rate) => rate >= band[0] && rate <= band[1]);
  const weights = Array.from({ length: maxTrials + 1 }, () => new Float64Array(points));
  weights[0]?.set(prior.weights);
  const means: number[][] = [];
  const probabilitiesInBand: number[][] = [];
  for (let trials = 0; trials <= maxTrials; trials++) {
    if (trials > 0) advance(trials);
    const described = weights.slice(0, trials + 1).map((row, successes) => describe(row, trials === 0 ? 0.5 : successes / trials));
    means.push(described.map(({ mean }) => mean));
    probabilitiesInBand.push(described.map(({ within }) => within));
  }
  return { means, probabilitiesInBand };

  /** From the rows 0..trials-1 of one trial less: the last row sees a success, and then each row a failure. */
  function advance(trials: number): void {
    const [top, next] = [weights[trials - 1] as Float64Array, weights[trials] as Float64Array];
    for (let index = 0; index < points; index++) next[index] = (top[index] as number) * (rates[index] as number);
    for (let successes = 0; successes < trials; successes++) {
      const row = weights[successes] as Float64Array;
      for (let index = 0; index < points; index++) (row[index] as number) *= 1 - (rates[index] as number);
    }
  }

  /** Scales a row to sum to 1 in place; a state that the prior makes impossible is out of the band at `fallback`. */
  function describe(row: Float64Array, fallback: number): { mean: number; within: number } {
    let [total, mean, within] = [0, 0, 0];
    for (let index = 0; index < points; index++) {
      const weight = row[index] as number;
      total += weight;
      mean += weight * (rates[index] as number);
      if (inBand[index]) within += weight;
    }
    if (total === 0) return { mean: fallback, within: 0 };
    for (let index = 0; index < points; index++) (row[index] as number) /= total;
    return { mean: mean / total, within: within / total };
  }
}
