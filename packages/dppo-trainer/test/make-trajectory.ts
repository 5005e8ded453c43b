import type { Scored, TokenSegment, Trajectory } from '@tadpole/contracts';

export function makeTrajectory(options: { id: string; taskId?: string; segments: readonly TokenSegment[] }): Trajectory {
  return {
    id: options.id,
    taskId: options.taskId ?? 'task',
    policy: 'bigram',
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 8, seed: 0 },
    opening: [{ role: 'user', content: 'go' }],
    turns: [],
    segments: options.segments,
    segmentBreaks: 0,
    stopReason: 'agent',
    patch: '',
    usage: { promptTokens: 0, completionTokens: 0 },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 0,
    harnessFingerprint: 'test',
  };
}

export function makeSegment(options: {
  prompt: readonly number[];
  sampled: readonly number[];
  logprobs?: readonly number[];
  version?: string;
}): TokenSegment {
  const { prompt, sampled, logprobs = sampled.map(() => -1), version = 'v0' } = options;
  return {
    ids: [...prompt, ...sampled],
    mask: [...prompt.map(() => false), ...sampled.map(() => true)],
    logprobs: [...prompt.map(() => 0), ...logprobs],
    weightsVersions: [version],
  };
}

export function scored(reward: number): Scored {
  return { status: 'scored', reward, components: {}, tests: [] };
}
