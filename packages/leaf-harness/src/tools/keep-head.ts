import { characterIndex, countCharacters } from './count-characters.js';

/** Keeps the first `limit` characters of a text and says how many fell out, as the released Leaf does (frognano.md section 2.2). */
export function keepHead(options: {
  text: string;
  limit: number;
  /** Characters that the text lacks already behind the first `limit`. @default 0 */
  omitted?: number;
}): string {
  const { text, limit, omitted = 0 } = options;
  if (text.length <= limit) return text;
  const dropped = countCharacters(text) - limit;
  return dropped <= 0 ? text : `${text.slice(0, characterIndex(text, limit))}\n[truncated ${dropped + omitted} chars]`;
}
