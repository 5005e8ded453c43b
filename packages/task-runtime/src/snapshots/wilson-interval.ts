/** Wilson's score interval of a proportion at 95 %. */
export function wilsonInterval(options: { successes: number; trials: number }): readonly [number, number] {
  const { successes, trials } = options;
  const z = 1.959964;
  const rate = successes / trials;
  const middle = (rate + (z * z) / (2 * trials)) / (1 + (z * z) / trials);
  const half = (z / (1 + (z * z) / trials)) * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
