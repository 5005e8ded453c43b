import type { TrainingClient } from '@tadpole/contracts';
import { buildBatch } from '../src/index.js';
import { createBigramClient } from '../src/testing/index.js';
import { makeSegment, makeTrajectory, scored } from './make-trajectory.js';

export const optimizer = { learningRate: 0.05, weightDecay: 0, gradientClip: 1 };
export const createClient = () => createBigramClient({ vocabularySize: 6, seed: 2 });

export function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Rollouts of one prompt; the reward is the share of token 3 among the sampled ones, thresholded. */
export async function rollOut(client: TrainingClient, options: { count: number; seed: number }) {
  const sampler = await client.createSampler();
  const prompt = [0, 1];
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 6, seed: options.seed };
  const sequences = await sampler.sample({ prompt, count: options.count, sampling, stopIds: [] });
  return sequences.map(({ ids, logprobs }, index) => ({
    trajectory: makeTrajectory({
      id: `r${index}`,
      segments: [makeSegment({ prompt, sampled: ids, logprobs, version: sampler.weightsVersion })],
    }),
    outcome: scored(ids.filter((id) => id === 3).length >= 2 ? 1 : 0),
  }));
}

export const batchOf = (rollouts: Awaited<ReturnType<typeof rollOut>>) => buildBatch({ groups: [{ taskId: 'task', rollouts }] });
export const successes = (rollouts: Awaited<ReturnType<typeof rollOut>>) => rollouts.filter(({ outcome }) => outcome.reward === 1).length;
