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
const [firstFactor, secondFactor] = [0x01000193, 0x5bd1e995];

/**
 * The n-grams of a text as rolling hashes of 53 bits (Karp and Rabin 1987), one a position, run after run. A run shorter than `length` counts as
 * one n-gram when it has at least half of it; a shorter one says nothing.
 */
export function ngramHashes(runs: TokenRuns, length: number): number[][] {
  return runs.map((tokens) => {
    const width = Math.min(length, tokens.length);
    if (width < length / 2) return [];
    const first = Int32Array.from(tokens, (token) => tokenHash(token));
    const second = Int32Array.from(tokens, (token) => tokenHash(token, secondSeed));
    const [firstLast, secondLast] = [power(firstFactor, width), power(secondFactor, width)];
    const hashes: number[] = [];
    let [high, low] = [0, 0];
    for (let index = 0; index < tokens.length; index += 1) {
      const leaving = index - width;
      high = (Math.imul(high, firstFactor) + (first[index] as number) - Math.imul(first[leaving] ?? 0, firstLast)) | 0;
      low = (Math.imul(low, secondFactor) + (second[index] as number) - Math.imul(second[leaving] ?? 0, secondLast)) | 0;
      if (leaving >= -1) hashes.push(((high + width) >>> 0) * 0x200000 + (low >>> 11));
    }
    return hashes;
  });
}

/** Modulo 2^32. */
function power(factor: number, exponent: number): number {
  let result = 1;
  for (let count = 0; count < exponent; count += 1) result = Math.imul(result, factor);
  return result;
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
  let best = { run: 0, start: 0, end: 0 };
  for (const [run, hashes] of ngramHashes(runs, length).entries()) {
    const tokenCount = (runs[run] as readonly string[]).length;
    let start = 0;
    for (const [position, hash] of hashes.entries()) {
      const end = Math.min(position + length, tokenCount);
      if (!wanted.has(hash)) start = position + 1;
      else if (end - start > best.end - best.start) best = { run, start, end };
    }
  }
  const tokens = runs[best.run]?.slice(best.start, Math.min(best.end, best.start + maxTokens)) ?? [];
  return tokens.length < best.end - best.start ? `${tokens.join(' ')} …` : tokens.join(' ');
}
