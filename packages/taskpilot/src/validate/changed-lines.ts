/** Lines of `after` from the first to the last that differs from `before`; 1-based, at least one. */
export function changedLines(options: { before: string; after: string }): { start: number; end: number } {
  const [before, after] = [options.before, options.after].map((text) => text.split('\n')) as [string[], string[]];
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { start: Math.min(start + 1, after.length), end: Math.max(start + 1, after.length - tail) };
}
