/** Tokens of a text, about: UTF-8 bytes / 4, as Leaf estimates them (frognano.md section 2.1). */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text, 'utf8') / 4);
}

/**
 * Whole lines of a text around some of its lines, as many as fit, grown by one line below and one above in turn.
 *
 * @returns an empty text when the lines themselves do not fit.
 */
export function excerptAround(options: {
  text: string;
  /** 1-based, both ends included; must be in the result. */
  lines: { readonly start: number; readonly end: number };
  maxTokens: number;
}): string {
  const lines = options.text.split('\n');
  let [from, to] = [options.lines.start - 1, options.lines.end];
  let bytesLeft = options.maxTokens * 4 - byteLength(lines.slice(from, to));
  if (bytesLeft < 0) return '';
  let canGrow = true;
  while (canGrow) {
    canGrow = false;
    for (const next of [to, from - 1]) {
      const bytes = next < 0 || next >= lines.length ? Number.POSITIVE_INFINITY : byteLength([lines[next]!]);
      if (bytes > bytesLeft) continue;
      bytesLeft -= bytes;
      if (next === to) to++;
      else from--;
      canGrow = true;
    }
  }
  return lines.slice(from, to).join('\n');
}

function byteLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line, 'utf8') + 1, 0);
}
