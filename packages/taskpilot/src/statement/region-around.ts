/** A span of whole lines, 1-based, both ends included. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/**
 * Chooses the lines that a statement names: `size` of them around `line`, with the line at a random place
 * among them (so that its place tells nothing), moved inside the file at its ends.
 */
export function regionAround(options: {
  /** 1-based. */
  line: number;
  lineCount: number;
  /** Uniform in [0, 1); called once. */
  random: () => number;
  /** @default 8 */
  size?: number;
}): Region {
  const { line, lineCount, random, size = 8 } = options;
  const place = Math.floor(random() * size);
  const start = Math.max(1, Math.min(line - place, lineCount - size + 1));
  return { start, end: Math.min(lineCount, start + size - 1) };
}
