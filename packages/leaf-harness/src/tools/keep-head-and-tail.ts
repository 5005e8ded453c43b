import { characterIndex, countCharacters } from './count-characters.js';

/**
 * Shortens a text to `limit` characters (Unicode code points, so that no surrogate pair is split) by taking out its
 * middle, and says in its place how many fell out: errors and test summaries stand at the end of an output as often
 * as at its start.
 */
export function keepHeadAndTail(options: {
  text: string;
  limit: number;
  /** Characters that the middle of the text lacks already; then `limit` of them stand on both sides. @default 0 */
  omitted?: number;
}): string {
  const { text, limit, omitted = 0 } = options;
  if (text.length <= limit) return text;
  const dropped = countCharacters(text) - limit;
  if (dropped <= 0) return text;
  const headEnd = characterIndex(text, Math.ceil(limit / 2));
  const tail = text.slice(headEnd);
  return `${text.slice(0, headEnd)}\n[truncated ${dropped + omitted} chars]\n${tail.slice(characterIndex(tail, dropped))}`;
}
