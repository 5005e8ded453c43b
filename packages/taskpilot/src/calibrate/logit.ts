/** log(p / (1 - p)), kept within ±12 so that rates of exactly 0 and 1 stay finite. */
export function logit(rate: number): number {
  const edge = 6e-6;
  const inside = Math.min(1 - edge, Math.max(edge, rate));
  return Math.log(inside / (1 - inside));
}

/** The inverse of {@link logit}. */
export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** A standard normal variable as 13 points, half a standard deviation apart, whose weights sum to 1. */
export function normalNodes(): readonly { readonly at: number; readonly weight: number }[] {
  const points = Array.from({ length: 13 }, (_, index) => (index - 6) / 2);
  const densities = points.map((point) => Math.exp(-(point ** 2) / 2));
  const total = densities.reduce((sum, density) => sum + density, 0);
  return points.map((at, index) => ({ at, weight: (densities[index] ?? 0) / total }));
}
