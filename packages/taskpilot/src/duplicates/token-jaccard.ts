import { tokenHash } from './token-hash.js';

/** The set of tokens as sorted 32-bit hashes: what a kept state needs for {@link tokenJaccard}, without the text. */
export function tokenSet(tokens: readonly string[]): number[] {
  return [...new Set(tokens.map((token) => tokenHash(token)))].sort((left, right) => left - right);
}

/** Shared share of two token sets: size of the intersection by size of the union, 0 for two empty sets. */
export function tokenJaccard(left: readonly number[], right: readonly number[]): number {
  const others = new Set(right);
  const shared = left.filter((hash) => others.has(hash)).length;
  return shared === 0 ? 0 : shared / (left.length + right.length - shared);
}
