import type { Trajectory } from '@tadpole/contracts';
import { harnessFingerprint } from '../rollouts/harness-fingerprint.js';
import type { AgentRecord } from './agent-state.js';
import type { Ending } from './ending.js';
import { recordSegments } from './record-segments.js';
import type { RunAgentOptions } from './run-options.js';

/** A run's record as the data that is kept of it. */
export function assembleTrajectory(parts: {
  options: Omit<RunAgentOptions, 'sandbox'>;
  record: AgentRecord;
  ending: Ending;
  patch: string;
  /** Milliseconds since the epoch. */
  startedMs: number;
}): Trajectory {
  const { options, record, ending } = parts;
  return {
    id: options.id,
    taskId: options.taskId,
    policy: options.policy.name,
    sampling: options.sampling,
    opening: record.opening,
    turns: record.turns,
    ...recordSegments(record.tokens),
    ...ending,
    patch: parts.patch,
    usage: record.usage,
    startedAt: new Date(parts.startedMs).toISOString(),
    durationMs: Math.max(0, options.now() - parts.startedMs),
    harnessFingerprint: harnessFingerprint(options),
  };
}
