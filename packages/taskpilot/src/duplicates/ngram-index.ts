import { tokenHash } from './token-hash.js';

/** A text as runs of tokens; no n-gram crosses from one run to the next. */
export type TokenRuns = readonly (readonly string[])[];

/** A document of the index that shares n-grams with the one that was asked for. */
export interface NgramOverlap {
  /** Number of the document, in the order of adding. */
  readonly document: number;
  /** Distinct n-grams that both have. */
  readonly shared: number;
  /** Shares of the asked and of the found document's distinct n-grams, (0, 1]. */
  readonly containment: readonly [asked: number, found: number];
}

const secondSeed = 0x9e3779b9;

/**
 * The n-grams of a text as hashes of 53 bits, one a position, run after run. A run shorter than `length` counts as
 * one n-gram when it has at least half of it; a shorter one says nothing.
 */
export function ngramHashes(runs: TokenRuns, length: number): number[][] {
  return runs.map((tokens) => {
    const width = Math.min(length, tokens.length);
    if (width < length / 2) return [];
    const first = Int32Array.from(tokens, (token) => tokenHash(token));
    const second = Int32Array.from(tokens, (token) => tokenHash(token, secondSeed));
    return Array.from({ length: tokens.length - width + 1 }, (_, start) => {
      let [high, low] = [width, width];
      for (let index = start; index < start + width; index += 1) {
        high = (Math.imul(high, 0x01000193) + (first[index] as number)) | 0;
        low = (Math.imul(low, 0x5bd1e995) + (second[index] as number)) | 0;
      }
      return (high >>> 0) * 0x200000 + (low >>> 11);
    });
  });
}

/** An index over documents by their n-grams: asking takes the time of the n-grams that are really shared. */
export function createNgramIndex(options: { length: number }): {
  /** Adds a document under the next number. */
  add(runs: TokenRuns): void;
  /** Documents that share at least one n-gram. */
  overlaps(runs: TokenRuns): NgramOverlap[];
} {
  const documentsOf = new Map<number, number[]>();
  const sizes: number[] = [];
  const distinct = (runs: TokenRuns) => new Set(ngramHashes(runs, options.length).flat());
  return {
    add(runs) {
      const ngrams = distinct(runs);
      for (const ngram of ngrams) {
        const documents = documentsOf.get(ngram);
        if (documents === undefined) documentsOf.set(ngram, [sizes.length]);
        else documents.push(sizes.length);
      }
      sizes.push(ngrams.size);
    },
    overlaps(runs) {
      const ngrams = distinct(runs);
      const shared = new Int32Array(sizes.length);
      for (const ngram of ngrams) for (const document of documentsOf.get(ngram) ?? []) shared[document] = (shared[document] as number) + 1;
      return Array.from(sizes.keys())
        .filter((document) => shared[document] !== 0)
        .map((document) => {
          const count = shared[document] as number;
          return { document, shared: count, containment: [count / ngrams.size, count / (sizes[document] as number)] };
        });
    },
  };
}

/** The longest stretch of tokens that lies in n-grams of both texts, at most `maxTokens`, joined by spaces. */
export function sharedText(options: { runs: TokenRuns; others: TokenRuns; length: number; maxTokens: number }): string {
  const { runs, others, length, maxTokens } = options;
  const wanted = new Set(ngramHashes(others, length).flat());
  let best: readonly string[] = [];
  for (const [index, hashes] of ngramHashes(runs, length).entries()) {
    const tokens = runs[index] as readonly string[];
    let start = 0;
    for (const [position, hash] of hashes.entries()) {
      if (!wanted.has(hash)) start = position + 1;
      else if (Math.min(position + length, tokens.length) - start > best.length) best = tokens.slice(start, position + length);
    }
  }
  return best.length <= maxTokens ? best.join(' ') : `${best.slice(0, maxTokens).join(' ')} …`;
}
