import type { Loss, TrainingClient } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { buildBatch, dppoBinaryTv, updatePolicy } from '../src/index.js';
import { batchOf, createClient, createRandom, optimizer, rollOut, successes } from './bigram-rollouts.js';

describe('updatePolicy', () => {
  test('raises the solve rate of a policy that can learn the task', async () => {
    const client = createClient();
    const before = successes(await rollOut(client, { count: 400, seed: 1000 }));
    const random = createRandom();
    for (let update = 0; update < 30; update += 1) {
      const batch = batchOf(await rollOut(client, { count: 16, seed: update }));
      if (batch.sequences.length === 0) continue;
      const report = await updatePolicy({ client, loss: dppoBinaryTv(), batch, optimizer, random });
      expect(report.completed).toBe(true);
      expect(report.alarms).toEqual([]);
    }
    const after = successes(await rollOut(client, { count: 400, seed: 1000 }));
    expect(before).toBeLessThan(160);
    expect(after).toBeGreaterThan(300);
  });

  test('the first minibatch has ratio 1, the second sees the weights that the first step left', async () => {
    const client = createClient();
    const batch = batchOf(await rollOut(client, { count: 16, seed: 5 }));
    const { steps } = await updatePolicy({
      client,
      loss: dppoBinaryTv(),
      batch,
      optimizer: { ...optimizer, learningRate: 0.3 },
      random: createRandom(),
    });
    expect(steps).toHaveLength(2);
    expect(steps[0]?.metrics.ratioMax).toBeCloseTo(1, 5);
    expect(steps[0]?.metrics.maskFraction).toBe(0);
    expect(steps[1]?.metrics.probabilityDifferenceMax).toBeGreaterThan(0.01);
  });

  test('a large step makes the mask work', async () => {
    const client = createClient();
    const batch = batchOf(await rollOut(client, { count: 16, seed: 5 }));
    const report = await updatePolicy({
      client,
      loss: dppoBinaryTv(),
      batch,
      optimizer: { ...optimizer, learningRate: 2 },
      epochs: 2,
      random: createRandom(),
    });
    expect(report.metrics.maskFraction).toBeGreaterThan(0.05);
    expect(report.metrics.optimizerSteps).toBe(4);
  });

  test('steps once a minibatch along the loss over all its tokens', async () => {
    const client = createClient();
    const reference = createClient();
    const batch = batchOf(await rollOut(client, { count: 8, seed: 5 }));
    const { metrics } = await updatePolicy({ client, loss: dppoBinaryTv(), batch, optimizer, minibatches: 1, random: createRandom() });
    const total = batch.counts.trainedTokens;
    await reference.forwardBackward({
      data: batch.sequences.map(({ datum }) => datum),
      gradients: batch.sequences.map(({ advantages }) => advantages.map((advantage) => -advantage / total)),
    });
    const { gradientNorm = Number.NaN } = await reference.optimStep(optimizer);
    expect(metrics.gradientNorm).toBeCloseTo(gradientNorm, 5);
    const data = batch.sequences.map(({ datum }) => datum);
    const [left, right] = [await client.forward({ data }), await reference.forward({ data })];
    for (const [i, { logprobs }] of left.entries()) {
      for (const [t, value] of logprobs.entries()) expect(value).toBeCloseTo(right[i]?.logprobs[t] ?? Number.NaN, 4);
    }
  });

  test('reports finite numbers only, with the batch’s counts', async () => {
    const client = createClient();
    const batch = batchOf(await rollOut(client, { count: 8, seed: 5 }));
    const { metrics } = await updatePolicy({ client, loss: dppoBinaryTv(), batch, optimizer, random: createRandom() });
    expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
    expect(metrics).toMatchObject({ groups: 1, groupsKept: 1, rollouts: 8, optimizerSteps: 2, tokens: 48, trainedTokens: 48 });
    expect(metrics.entropy).toBeGreaterThan(1);
    expect(metrics.entropy).toBeLessThan(Math.log(6));
  });

  test.each([
    ['non-finite-loss', () => ({ loss: Number.POSITIVE_INFINITY, gradient: new Float64Array(48), metrics: {} })],
    ['non-finite-gradient', () => ({ loss: 0, gradient: new Float64Array(48).fill(1e300), metrics: {} })],
  ] as const)('stops with %s before anything has changed', async (kind, loss: Loss) => {
    const client = createClient();
    const batch = batchOf(await rollOut(client, { count: 8, seed: 5 }));
    const data = batch.sequences.map(({ datum }) => datum);
    const before = await client.forward({ data });
    const report = await updatePolicy({ client, loss, batch, optimizer, minibatches: 1, random: createRandom() });
    expect(report.completed).toBe(false);
    expect(report.alarms).toMatchObject([{ kind, epoch: 0, minibatch: 0 }]);
    expect(await client.forward({ data })).toEqual(before);
    expect((await client.optimStep(optimizer)).gradientNorm).toBe(0);
  });

  test('stops when the engine gives a log-probability that is no number', async () => {
    const client = createClient();
    const batch = batchOf(await rollOut(client, { count: 8, seed: 5 }));
    const sick: TrainingClient = {
      ...client,
      forward: async (call) => (await client.forward(call)).map(({ logprobs }) => ({ logprobs: logprobs.map(() => Number.NaN) })),
      forwardBackward: () => Promise.reject(new Error('forwardBackward must not be called')),
    };
    const report = await updatePolicy({
      client: sick,
      loss: dppoBinaryTv(),
      lossIn: 'client',
      batch,
      optimizer,
      random: createRandom(),
    });
    expect(report.alarms.map(({ kind }) => kind)).toEqual(['non-finite-logprobs']);
  });

  test('raises an alarm about an exploding ratio and takes the step', async () => {
    const client = createClient();
    const rollouts = await rollOut(client, { count: 8, seed: 5 });
    const impossible = rollouts.map((rollout) => ({
      ...rollout,
      trajectory: {
        ...rollout.trajectory,
        segments: rollout.trajectory.segments.map((segment) => ({ ...segment, logprobs: segment.mask.map((own) => (own ? -20 : 0)) })),
      },
    }));
    const report = await updatePolicy({ client, loss: dppoBinaryTv(), batch: batchOf(impossible), optimizer, random: createRandom() });
    expect(report.completed).toBe(true);
    expect(report.alarms.map(({ kind }) => kind)).toContain('ratio-explosion');
  });

  test('refuses a batch from which every group was dropped', async () => {
    const batch = buildBatch({ groups: [] });
    await expect(
      updatePolicy({ client: createClient(), loss: dppoBinaryTv(), batch, optimizer, random: createRandom() }),
    ).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });

  test('an aborted signal ends the update', async () => {
    const client = createClient();
    const batch = batchOf(await rollOut(client, { count: 8, seed: 5 }));
    const signal = AbortSignal.abort();
    await expect(updatePolicy({ client, loss: dppoBinaryTv(), batch, optimizer, random: createRandom(), signal })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});
