/** Lines of a text by offset. Lines end at `\n`, as `git`, editors and line-numbered tools count them. */
export interface LineIndex {
  readonly lineCount: number;
  /** 1-based line that holds the character at `offset`. */
  lineAt(offset: number): number;
  /** Offset at which a 1-based line starts. */
  startOf(line: number): number;
  /** A 1-based line without its line end. */
  textOf(line: number): string;
}

/** Indexes the lines of `text`; an end of line at the very end starts no further line. */
export function createLineIndex(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const startOf = (line: number) => starts[line - 1] ?? text.length;
  return {
    lineCount: starts.length,
    startOf,
    lineAt(offset) {
      let low = 0;
      let high = starts.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((starts[middle] as number) <= offset) low = middle;
        else high = middle;
      }
      return low + 1;
    },
    textOf: (line) => text.slice(startOf(line), startOf(line + 1)).replace(/\r?\n$/, ''),
  };
}
