import { createHash } from 'node:crypto';
import type { RolloutPurpose } from '@tadpole/contracts';

/** The seed of one rollout, in [0, 2^32): it depends on these four values alone, never on scheduling. */
export function rolloutSeed(parts: { runSeed: number; taskId: string; sample: number; purpose: RolloutPurpose }): number {
  const text = JSON.stringify([parts.runSeed, parts.taskId, parts.sample, parts.purpose]);
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
