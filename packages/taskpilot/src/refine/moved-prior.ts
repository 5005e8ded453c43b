import { type GridPrior, gridPrior } from '../calibrate/grid-prior.js';
import { logit } from '../calibrate/logit.js';

/**
 * The distribution of a solve rate whose logit is moved by a normal variable, on the same grid. What would leave the grid stays at
 * its end.
 */
export function movedPrior(options: {
  /** Rates in ascending order. */
  base: GridPrior;
  /** In logits. */
  mean: number;
  /** Standard deviation in logits, greater than 0. */
  spread: number;
}): GridPrior {
  const { base, mean, spread } = options;
  const logits = base.rates.map(logit);
  const widths = logits.map((value, index) => ((logits[index + 1] ?? value) - (logits[index - 1] ?? value)) / 2);
  const weights = new Array<number>(logits.length).fill(0);
  for (const [from, weight] of base.weights.entries()) {
    if (weight === 0) continue;
    const centre = Math.min(logits.at(-1) ?? 0, Math.max(logits[0] ?? 0, (logits[from] ?? 0) + mean));
    const kernel = logits.map((value, to) => Math.exp(-(((value - centre) / spread) ** 2) / 2) * (widths[to] ?? 0));
    const total = kernel.reduce((sum, value) => sum + value, 0);
    for (const [to, value] of kernel.entries()) weights[to] = (weights[to] ?? 0) + (weight * value) / total;
  }
  return gridPrior({ rates: base.rates, weights });
}
