import { createHash } from 'node:crypto';

/** The seed of one turn, in [0, 2^32), from the rollout's seed and the turn's 0-based number alone. */
export function turnSeed(parts: { seed: number; turn: number }): number {
  return createHash('sha256')
    .update(JSON.stringify([parts.seed, parts.turn]))
    .digest()
    .readUInt32BE(0);
}
