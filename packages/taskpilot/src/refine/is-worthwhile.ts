import { type Band, defaultBand, type GridPrior } from '../calibrate/grid-prior.js';
import { posterior } from '../calibrate/posterior.js';

/**
 * Whether a refined task is worth its rollouts: its predicted probability of being in the band is at least that of a fresh
 * candidate (taskpilot.md section 6).
 */
export function isWorthwhile(options: {
  prior: GridPrior;
  /** @default [0.3, 0.7] */
  band?: Band;
  /** Share of fresh candidates in the band. @default 0.2 */
  baseRate?: number;
}): boolean {
  const { prior, band = defaultBand, baseRate = 0.2 } = options;
  return posterior({ successes: 0, trials: 0, prior, band }).probabilityInBand >= baseRate;
}
