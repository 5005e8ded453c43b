import { type GridPrior, gridPrior } from './grid-prior.js';
import { logit } from './logit.js';

/** A normal distribution of the logit of the solve rate, on a grid of rates inside (0, 1). */
export function logitNormalPrior(options: {
  /** In logits; taken within ±6. */
  mean: number;
  /** Standard deviation in logits. */
  spread: number;
  /** Grid [R], equally spaced. @default 200 midpoints */
  rates?: readonly number[];
}): GridPrior {
  const { mean, spread, rates = Array.from({ length: 200 }, (_, index) => (index + 0.5) / 200) } = options;
  const centre = Math.min(6, Math.max(-6, mean));
  const densities = rates.map((rate) => {
    const distance = (logit(rate) - centre) / spread;
    return Math.exp(-(distance ** 2) / 2) / Math.max(1e-12, rate * (1 - rate));
  });
  return gridPrior({ rates, weights: densities });
}
