/**
 * Shortens a text to about `limit` UTF-16 units by taking out its middle, and says in its place how many
 * characters fell out: errors and test summaries stand at the end of an output as often as at its start.
 * A surrogate pair is never split. FrogNano keeps the head alone (frognano.md section 2.2).
 */
export function keepHeadAndTail(options: { text: string; limit: number }): string {
  const { text, limit } = options;
  if (text.length <= limit) return text;
  let headEnd = Math.ceil(limit / 2);
  let tailStart = text.length - Math.floor(limit / 2);
  if (splitsPair(text, headEnd)) headEnd -= 1;
  if (splitsPair(text, tailStart)) tailStart += 1;
  return `${text.slice(0, headEnd)}\n[truncated ${tailStart - headEnd} chars]\n${text.slice(tailStart)}`;
}

function splitsPair(text: string, index: number): boolean {
  return index > 0 && index < text.length && /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index));
}
