import { characterIndex, countCharacters } from './count-characters.js';

/** Keeps the first `limit` characters of a text and says how many fell out, as the released Leaf does (frognano.md section 2.2). */
export function keepHead(options: { text: string; limit: number }): string {
  const { text, limit } = options;
  if (text.length <= limit) return text;
  const dropped = countCharacters(text) - limit;
  return dropped <= 0 ? text : `${text.slice(0, characterIndex(text, limit))}\n[truncated ${dropped} chars]`;
}
