import { TadpoleError } from '@tadpole/contracts';

/** A distribution of solve rates on a grid: `weights[i]` (they sum to 1) is the probability of `rates[i]`; both [R]. */
export interface GridPrior {
  readonly rates: readonly number[];
  readonly weights: readonly number[];
}

/** Solve rates in [low, high] are worth training on. */
export type Band = readonly [low: number, high: number];

/** FrogNano aims at a solve rate of one half (frognano.md 1.3); this is the band around it that the recipe uses. */
export const defaultBand: Band = [0.3, 0.7];

/**
 * Beta(alpha, beta) as a grid of midpoints, weighted by its density. The default is the usual shape of solve
 * rates, mostly near 0 and 1, on the grid of taskpilot.md section 5. A grid under-weights the unbounded ends
 * a little: this one puts .235 into [.3, .7] where the continuous Beta(.4, .4) has .224. The decision table
 * is the same for either.
 */
export function betaPrior(
  options: {
    /** @default 0.4 */
    alpha?: number;
    /** @default 0.4 */
    beta?: number;
    /** Grid size R. @default 400 */
    points?: number;
  } = {},
): GridPrior {
  const { alpha = 0.4, beta = 0.4, points = 400 } = options;
  const rates = Array.from({ length: points }, (_, index) => (index + 0.5) / points);
  return gridPrior({ rates, weights: rates.map((rate) => rate ** (alpha - 1) * (1 - rate) ** (beta - 1)) });
}

/** A prior from any distribution; weights are scaled to sum to 1. @throws TadpoleError `invalid-input` for an ill-formed grid. */
export function gridPrior(options: { rates: readonly number[]; weights: readonly number[] }): GridPrior {
  const { rates, weights } = options;
  const total = weights.reduce((sum, value) => sum + value, 0);
  const bad =
    rates.length === 0 || rates.length !== weights.length || rates.some((p) => !(p >= 0 && p <= 1)) || weights.some((w) => !(w >= 0));
  if (bad || !(total > 0 && Number.isFinite(total))) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: 'gridPrior: expected rates in [0, 1] and as many weights of at least 0, not all 0.',
    });
  }
  return { rates, weights: weights.map((value) => value / total) };
}
