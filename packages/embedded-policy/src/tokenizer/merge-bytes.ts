import { FIRST_BYTE_ID, FIRST_MERGE_ID } from './tokenizer-data.js';

/** Key of a pair of ids in a map of merges. */
export function pairKey(left: number, right: number): number {
  return left * 65_536 + right;
}

/**
 * Byte-level ids of a piece after all merges, in the order in which they were learnt (Sennrich et al. 2016,
 * arXiv:1508.07909). `ranks` gives the merge's place by {@link pairKey}.
 */
export function mergeBytes(bytes: Uint8Array, ranks: ReadonlyMap<number, number>): number[] {
  const ids = Array.from(bytes, (byte) => FIRST_BYTE_ID + byte);
  while (ids.length > 1) {
    let best = Number.POSITIVE_INFINITY;
    for (let index = 0; index + 1 < ids.length; index++) {
      best = Math.min(best, ranks.get(pairKey(ids[index]!, ids[index + 1]!)) ?? Number.POSITIVE_INFINITY);
    }
    if (best === Number.POSITIVE_INFINITY) break;
    for (let index = 0; index + 1 < ids.length; index++) {
      if (ranks.get(pairKey(ids[index]!, ids[index + 1]!)) === best) ids.splice(index, 2, FIRST_MERGE_ID + best);
    }
  }
  return ids;
}
