import { seededRandom } from '../seeded-random.js';

/**
 * 95 % percentile interval of a statistic over items drawn again with replacement, or null with fewer than two
 * items or where a bound is not finite. Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993),
 * chapter 13. Deterministic for the seed.
 *
 * @param options.statistic - of the drawn items; `items` may hold one of them several times.
 */
export function bootstrapInterval<Item>(options: {
  items: readonly Item[];
  statistic: (items: readonly Item[]) => number;
  seed: number | string;
  /** @default 2000 */
  resamples?: number;
}): [number, number] | null {
  const { items, statistic, resamples = 2000 } = options;
  if (items.length < 2) return null;
  const random = seededRandom(`${options.seed} bootstrap`);
  const draw = () => items.map(() => items[Math.floor(random() * items.length)] as Item);
  const values = Float64Array.from({ length: resamples }, () => statistic(draw())).sort();
  const interval: [number, number] = [quantile(values, 0.025), quantile(values, 0.975)];
  return interval.every(Number.isFinite) ? interval : null;
}

/** Between the two neighbours in proportion; `values` are sorted. */
function quantile(values: Float64Array, share: number): number {
  const place = share * (values.length - 1);
  const below = values[Math.floor(place)] as number;
  const above = values[Math.ceil(place)] as number;
  return below === above ? below : below + (place - Math.floor(place)) * (above - below);
}
