import { pairKey } from './merge-bytes.js';
import { preTokenize } from './pre-tokenize.js';
import { SPECIAL_TOKENS } from './special-tokens.js';
import { FIRST_BYTE_ID, FIRST_MERGE_ID, type TokenizerData } from './tokenizer-data.js';

interface Word {
  ids: number[];
  readonly count: number;
}

/**
 * Learns byte-pair merges from texts: the most frequent neighbouring pair inside pieces is joined, again and again; ties go
 * to the pair with the smaller ids, so that equal texts give an equal tokenizer. Stops early when no pair occurs twice.
 */
export function trainTokenizer(options: {
  texts: Iterable<string>;
  /** Total number of ids: special tokens, integers, bytes and merges. */
  vocabularySize: number;
}): TokenizerData {
  const words = countWords(options.texts);
  const counts = new Map<number, number>();
  const places = new Map<number, Set<Word>>();
  for (const word of words) addPairs(word, 1, counts, places);

  const merges: [number, number][] = [];
  while (FIRST_MERGE_ID + merges.length < options.vocabularySize) {
    const best = mostFrequentPair(counts);
    if (best === undefined) break;
    const left = Math.floor(best / 65_536);
    const right = best % 65_536;
    const joined = FIRST_MERGE_ID + merges.length;
    merges.push([left, right]);
    for (const word of [...places.get(best)!]) {
      addPairs(word, -1, counts, places);
      word.ids = joinPair(word.ids, { left, right, joined });
      addPairs(word, 1, counts, places);
    }
  }
  return { format: 'tadpole-bpe-1', specialTokens: [...SPECIAL_TOKENS], merges };
}

function countWords(texts: Iterable<string>): Word[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const piece of preTokenize(text)) {
      if (!/^\d/.test(piece)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
    }
  }
  return Array.from(counts, ([piece, count]) => ({ ids: Array.from(Buffer.from(piece, 'utf8'), (byte) => FIRST_BYTE_ID + byte), count }));
}

function addPairs(word: Word, sign: 1 | -1, counts: Map<number, number>, places: Map<number, Set<Word>>): void {
  for (let index = 0; index + 1 < word.ids.length; index++) {
    const key = pairKey(word.ids[index]!, word.ids[index + 1]!);
    const count = (counts.get(key) ?? 0) + sign * word.count;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
    const set = places.get(key) ?? new Set<Word>();
    places.set(key, set);
    if (sign === 1) set.add(word);
    else set.delete(word);
  }
}

function mostFrequentPair(counts: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  let most = 1;
  for (const [key, count] of counts) {
    if (count > most || (count === most && best !== undefined && key < best)) {
      best = key;
      most = count;
    }
  }
  return best;
}

function joinPair(ids: readonly number[], { left, right, joined }: { left: number; right: number; joined: number }): number[] {
  const result: number[] = [];
  for (let index = 0; index < ids.length; index++) {
    if (ids[index] === left && ids[index + 1] === right) {
      result.push(joined);
      index++;
    } else {
      result.push(ids[index]!);
    }
  }
  return result;
}
