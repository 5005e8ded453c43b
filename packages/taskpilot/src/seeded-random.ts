import { createHash } from 'node:crypto';

/**
 * A small repeatable source of randomness: uniform in [0, 1), the same seed gives the same stream
 * (mulberry32, 32 bits of state; enough for ordering and choosing, not for secrets).
 */
export function seededRandom(seed: number | string): () => number {
  let state = createHash('sha256').update(String(seed)).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
