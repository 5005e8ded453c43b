import type { Sampler, TrainingClient } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { checkCanary } from '../src/index.js';
import { createClient } from './bigram-rollouts.js';

describe('checkCanary', () => {
  const probe = { prompt: [0, 1, 2], seed: 9 };
  const train = async (client: TrainingClient, learningRate: number) => {
    const data = [{ inputs: Int32Array.from([0, 1, 2, 3]), targets: Int32Array.from([1, 2, 3, 4]) }];
    await client.forwardBackward({ data, gradients: [Float64Array.from([-1, -1, -1, -1])] });
    await client.optimStep({ learningRate, weightDecay: 0.1 });
  };

  test('is silent when the sampler holds the trainer’s weights', async () => {
    const client = createClient();
    const first = await checkCanary({ client, sampler: await client.createSampler(), ...probe });
    expect(first.alarms).toEqual([]);
    expect(first.maxDifference).toBeLessThan(1e-6);
    await train(client, 0.1);
    const second = await checkCanary({ client, sampler: await client.createSampler(), ...probe, previous: first.reading });
    expect(second.alarms).toEqual([]);
  });

  test('notices a sampler of other weights', async () => {
    const client = createClient();
    const sampler = await client.createSampler();
    await train(client, 0.5);
    const { alarms, maxDifference } = await checkCanary({ client, sampler, ...probe });
    expect(alarms.map(({ kind }) => kind)).toEqual(['sampler-differs']);
    expect(maxDifference).toBeGreaterThan(1e-3);
  });

  test('notices a sync that did not happen even when the step is below the tolerance', async () => {
    const client = createClient();
    const sampler = await client.createSampler();
    const { reading } = await checkCanary({ client, sampler, ...probe });
    await train(client, 1e-5);
    const { alarms } = await checkCanary({ client, sampler, ...probe, previous: reading });
    expect(alarms.map(({ kind }) => kind)).toEqual(['sampler-stale', 'version-unchanged']);
  });

  test('notices an update that changed no weights', async () => {
    const client = createClient();
    const { reading } = await checkCanary({ client, sampler: await client.createSampler(), ...probe });
    const { alarms } = await checkCanary({ client, sampler: await client.createSampler(), ...probe, previous: reading });
    expect(alarms.map(({ kind }) => kind)).toEqual(['weights-unchanged']);
  });

  test('a step of the usual size makes all of it move, and nothing is said', async () => {
    const client = createClient();
    let previous = (await checkCanary({ client, sampler: await client.createSampler(), ...probe })).reading;
    for (let update = 0; update < 5; update += 1) {
      await train(client, 1e-6);
      const { alarms, reading } = await checkCanary({ client, sampler: await client.createSampler(), ...probe, previous });
      expect(alarms).toEqual([]);
      previous = reading;
    }
  });

  test('notices a new sampler under an old version', async () => {
    const client = createClient();
    const { reading } = await checkCanary({ client, sampler: await client.createSampler(), ...probe });
    await train(client, 0.1);
    const sampler = { ...(await client.createSampler()), weightsVersion: reading.weightsVersion };
    const { alarms } = await checkCanary({ client, sampler, ...probe, previous: reading });
    expect(alarms.map(({ kind }) => kind)).toEqual(['version-unchanged']);
  });

  test('notices old weights under a new version, also when they draw the same ids', async () => {
    const client = createClient();
    const old = await client.createSampler();
    const { reading } = await checkCanary({ client, sampler: old, ...probe });
    await train(client, 1e-5);
    const { alarms } = await checkCanary({ client, sampler: { ...old, weightsVersion: 'new' }, ...probe, previous: reading });
    expect(alarms.map(({ kind }) => kind)).toEqual(['sampler-stale']);
  });

  test('notices log-probabilities that are no numbers, from the sampler or from the trainer', async () => {
    const client = createClient();
    const sampler = await client.createSampler();
    const sick = answering(sampler, (sequence) => ({ ...sequence, logprobs: sequence.logprobs.map(() => Number.NaN) }));
    expect((await checkCanary({ client, sampler: sick, ...probe })).alarms.map(({ kind }) => kind)).toEqual(['sampler-differs']);
    const mute = { ...client, forward: async () => [] };
    expect((await checkCanary({ client: mute, sampler, ...probe })).alarms.map(({ kind }) => kind)).toEqual(['sampler-differs']);
  });

  test('the tolerance is the caller’s', async () => {
    const client = createClient();
    const sampler = await client.createSampler();
    const off = answering(sampler, (sequence) => ({ ...sequence, logprobs: sequence.logprobs.map((logprob) => logprob - 0.01) }));
    expect((await checkCanary({ client, sampler: off, ...probe })).alarms).toHaveLength(1);
    expect((await checkCanary({ client, sampler: off, ...probe, tolerance: 0.02 })).alarms).toEqual([]);
  });

  test.each([
    ['nothing', (sequence: Sequence) => ({ ...sequence, ids: [], logprobs: [] })],
    ['ids without log-probabilities', (sequence: Sequence) => ({ ...sequence, logprobs: [] })],
  ])('a sampler that gives %s is an engine error', async (_name, change) => {
    const client = createClient();
    const sampler = answering(await client.createSampler(), change);
    await expect(checkCanary({ client, sampler, ...probe })).rejects.toMatchObject({ code: 'engine' });
  });

  test('refuses an empty prompt, and one that is not the previous reading’s', async () => {
    const client = createClient();
    const sampler = await client.createSampler();
    const { reading } = await checkCanary({ client, sampler, ...probe });
    await expect(checkCanary({ client, sampler, seed: 1, prompt: [] })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(checkCanary({ client, sampler, seed: 9, prompt: [0, 1], previous: reading })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });
});

type Sequence = Awaited<ReturnType<Sampler['sample']>>[number];

function answering(sampler: Sampler, change: (sequence: Sequence) => Sequence): Sampler {
  return { ...sampler, sample: async (call) => (await sampler.sample(call)).map(change) };
}
