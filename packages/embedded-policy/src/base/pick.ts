/** An element of `values` (at least one), uniformly; `random` is uniform in [0, 1). */
export function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** An integer from `low` to `high`, both included, uniformly. */
export function pickInteger({ low, high, random }: { low: number; high: number; random: () => number }): number {
  return low + Math.floor(random() * (high - low + 1));
}
