/** The one stretch in which a text differs from another, in UTF-16 units of `before`. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `base` with the changes that two texts make to it; `null` where they touch or overlap, so that no text makes both. */
export function bothChanges(options: { base: string; one: string; other: string }): string | null {
  const { base } = options;
  const [first, second] = [stretchOf(base, options.one), stretchOf(base, options.other)].sort((a, b) => a.start - b.start) as [
    Stretch,
    Stretch,
  ];
  if (first.end >= second.start) return null;
  return base.slice(0, first.start) + first.text + base.slice(first.end, second.start) + second.text + base.slice(second.end);
}

function stretchOf(before: string, after: string): Stretch {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}
