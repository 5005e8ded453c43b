import type { Trajectory } from '@tadpole/contracts';

/** Which weights exist, so that a rollout's age can be told. */
export interface Staleness {
  /** Every `weightsVersion` so far, oldest first; the last one is what is about to be trained. */
  readonly history: readonly string[];
  /** Updates that a rollout's oldest token may lie behind. FrogNano runs with 1 or 3 (arXiv 2609.07925, Table 2). @default 1 */
  readonly maxLag?: number;
}

/**
 * Updates between the oldest weights that sampled in a trajectory and the newest in `history`; infinite
 * when a version is not in the history, for then nothing is known about its age.
 */
export function rolloutLag(options: { trajectory: Trajectory; history: readonly string[] }): number {
  const { trajectory, history } = options;
  let lag = 0;
  for (const segment of trajectory.segments) {
    for (const version of segment.weightsVersions) {
      const position = history.lastIndexOf(version);
      lag = Math.max(lag, position < 0 ? Number.POSITIVE_INFINITY : history.length - 1 - position);
    }
  }
  return lag;
}
