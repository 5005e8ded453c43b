/** The lines of a text, each with the offset at which it starts. */
export function* linesOf(text: string): Generator<{ line: string; start: number }> {
  let start = 0;
  for (const line of text.split('\n')) {
    yield { line, start };
    start += line.length + 1;
  }
}
