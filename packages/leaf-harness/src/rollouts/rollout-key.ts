import { createHash } from 'node:crypto';
import type { RolloutPurpose, Sampling } from '@tadpole/contracts';
import { canonicalJson } from './canonical-json.js';

/**
 * Identity of everything that changes a rollout's meaning, sha256 in hex. A finished key is never run again, so
 * a run with other limits, weights or sampling never takes over old results. The harness fingerprint holds the limits.
 */
export function rolloutKey(parts: {
  taskId: string;
  /** Identity of all that the task says and holds. */
  taskHash: string;
  purpose: RolloutPurpose;
  /** 0-based. */
  sample: number;
  policy: string;
  weightsVersion: string;
  /** With the rollout's seed. */
  sampling: Sampling;
  harnessFingerprint: string;
  /** Identity of what surrounds the harness: sandbox provider, grader, further code. */
  fingerprint: string;
}): string {
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
