/** Characters of a known secret at a cut edge that are enough to take them out: fewer would hit ordinary text. */
const EDGE_CHARACTERS = 8;

/** Where a text that the tools shortened holds the beginning of a value right before the truncation mark, or its end right after it. */
export function secretEdges(text: string, value: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const mark of text.matchAll(/\n\[truncated \d{1,16} chars\]\n?/g)) {
    const [before, after] = [mark.index, mark.index + mark[0].length];
    const head = longest(value, (count) => text[before - 1] === value[count - 1] && text.endsWith(value.slice(0, count), before));
    const tail = longest(value, (count) => text[after] === value.at(-count) && text.startsWith(value.slice(-count), after));
    if (head > 0) spans.push({ start: before - head, end: before });
    if (tail > 0) spans.push({ start: after, end: after + tail });
  }
  return spans;
}

function longest(value: string, holds: (count: number) => boolean): number {
  for (let count = value.length - 1; count >= EDGE_CHARACTERS; count -= 1) if (holds(count)) return count;
  return 0;
}
