/** A new array in random order (Fisher-Yates); the same `random` stream gives the same order. */
export function shuffle<Item>(items: readonly Item[], options: { random: () => number }): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(options.random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item];
  }
  return shuffled;
}
