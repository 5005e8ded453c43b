import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrainingClient } from '@tadpole/contracts';
import { afterAll, describe, expect, test } from 'vitest';
import { createBigramClient, samplerConformance, trainingClientConformance } from '../src/testing/index.js';

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))));

const createClient = async () => createBigramClient({ vocabularySize: 7, seed: 4 });

const sequences = [
  [0, 1, 2, 3, 4],
  [4, 2, 6, 6, 1, 0],
];
const clientCases = trainingClientConformance({
  createClient,
  sequences,
  async createDirectory() {
    const directory = await mkdtemp(join(tmpdir(), 'tadpole-bigram-'));
    directories.push(directory);
    return directory;
  },
});
const samplerCases = samplerConformance({ createSampler: async () => (await createClient()).createSampler(), prompt: [1, 2, 3] });

describe('the bigram engine', () => {
  test.each(clientCases.map((each) => [each.name, each] as const))('%s', (_name, { run }) => run());
  test.each(samplerCases.map((each) => [each.name, each] as const))('sampler: %s', (_name, { run }) => run());

  test('its gradient is the finite difference of the log-probability', async () => {
    const data = [{ inputs: Int32Array.from([0, 3, 3]), targets: Int32Array.from([3, 3, 5]) }];
    const gradients = [Float64Array.from([0.5, -1, 2])];
    const client = await createClient();
    await client.forwardBackward({ data, gradients });
    const { gradientNorm } = await client.optimStep({ learningRate: 0, gradientClip: 0 });
    // Rows 0 and 3 of the logits, from d log p(next)/d logit(k) = 1[k = next] - p(k), with p from the engine itself.
    const probabilities = async (row: number) => {
      const targets = Int32Array.from([0, 1, 2, 3, 4, 5, 6]);
      const [scores] = await client.forward({ data: [{ inputs: targets.map(() => row), targets }] });
      return [...(scores?.logprobs ?? [])].map(Math.exp);
    };
    const from0 = (await probabilities(0)).map((p, k) => 0.5 * ((k === 3 ? 1 : 0) - p));
    const from3 = (await probabilities(3)).map((p, k) => -1 * ((k === 3 ? 1 : 0) - p) + 2 * ((k === 5 ? 1 : 0) - p));
    expect(gradientNorm).toBeCloseTo(Math.hypot(...from0, ...from3), 6);
  });
});

describe('the suites', () => {
  test('notice an engine that does not clear its gradient', async () => {
    const broken = async () => {
      const client = await createClient();
      const kept: Parameters<typeof client.forwardBackward>[0][] = [];
      return {
        ...client,
        forwardBackward: async (call: Parameters<typeof client.forwardBackward>[0]) => {
          kept.push(call);
          return client.forwardBackward(call);
        },
        optimStep: async (settings: Parameters<typeof client.optimStep>[0]) => {
          const answer = await client.optimStep(settings);
          for (const call of kept) await client.forwardBackward(call);
          return answer;
        },
      };
    };
    const cases = trainingClientConformance({
      createClient: broken,
      sequences: [
        [0, 1, 2],
        [3, 4, 5],
      ],
      createDirectory: async () => '/nowhere',
    });
    await expect(cases.find(({ name }) => name === 'the step clears the gradient')?.run()).rejects.toThrow();
  });

  const noticed = async (name: string, createBroken: () => Promise<TrainingClient>) => {
    const cases = trainingClientConformance({ createClient: createBroken, sequences, createDirectory: async () => '/nowhere' });
    await expect(cases.find((each) => each.name === name)?.run()).rejects.toThrow();
  };

  test('notice an engine whose step overtakes the gradient before it', () =>
    noticed('calls made without waiting are carried out in order', async () => {
      const client = await createClient();
      return {
        ...client,
        async forwardBackward(call) {
          await new Promise((resolve) => setImmediate(resolve));
          return client.forwardBackward(call);
        },
      };
    }));

  test.each(['dppo', 'ppo', 'cispo', 'importance_sampling'])('notice an engine whose %s is another loss', (name) =>
    noticed('a loss of its own steps as the gradient of that loss does', async () => {
      const client = await createClient();
      const other = {
        name: name === 'importance_sampling' ? 'cispo' : 'importance_sampling',
        config: { clip_low_threshold: 1, clip_high_threshold: 1 },
      };
      const { forwardBackwardLoss } = client;
      return {
        ...client,
        forwardBackwardLoss: async (call) =>
          (await forwardBackwardLoss?.({ ...call, loss: call.loss.name === name ? other : call.loss })) ?? [],
      };
    }),
  );

  test('notice an engine that lists losses and cannot compute them', () =>
    noticed('a loss of its own steps as the gradient of that loss does', async () => {
      const { forwardBackwardLoss: _, ...client } = await createClient();
      return client;
    }));

  test('notice a sampler whose sequences depend on how many are drawn', async () => {
    const createSampler = async () => {
      const sampler = await (await createClient()).createSampler();
      const sample: typeof sampler.sample = (call) =>
        sampler.sample({ ...call, sampling: { ...call.sampling, seed: call.sampling.seed + call.count } });
      return { ...sampler, sample };
    };
    const cases = samplerConformance({ createSampler, prompt: [1, 2, 3] });
    await expect(cases.find(({ name }) => name.startsWith('a sequence does not depend'))?.run()).rejects.toThrow();
  });
});
