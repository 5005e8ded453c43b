import type { TrainingClient } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { cispo, dppoBinaryKl, dppoBinaryTv, gspo, importanceSampling, ppoClip, updatePolicy } from '../src/index.js';
import { createClient, optimizer } from './bigram-rollouts.js';
import { expectNear, makeBatch, settings, weightsOf } from './update-settings.js';

describe('losses of the engine’s own', () => {
  const weighed = ['token-mean', 'trajectory-mean', 'sum'] as const;
  test.each(
    weighed.flatMap((aggregation) => [
      ['dppo', aggregation, dppoBinaryTv({ aggregation })] as const,
      ['ppo', aggregation, ppoClip({ aggregation })] as const,
      ['cispo', aggregation, cispo({ aggregation, clipLow: 0.9, clipHigh: 1.1 })] as const,
      ['importance sampling', aggregation, importanceSampling({ aggregation })] as const,
    ]),
  )('%s, %s: the engine’s steps are the client’s', async (_name, _aggregation, loss) => {
    const batch = await makeBatch();
    const [engine, client] = [createClient(), createClient()];
    const native = await updatePolicy({ client: engine, ...settings({ batch, loss }) });
    const own = await updatePolicy({ client, ...settings({ batch, loss, lossIn: 'client' }) });
    expect(native.steps.every(({ lossIn }) => lossIn === 'engine')).toBe(true);
    expect(own.steps.every(({ lossIn }) => lossIn === 'client')).toBe(true);
    expectNear(await weightsOf(engine), await weightsOf(client), 1e-6);
    expect(native.metrics.ratioMax).toBeGreaterThan(1.1);
    expect(Object.keys(native.metrics).sort()).toEqual(Object.keys(own.metrics).sort());
    for (const [name, value] of Object.entries(own.metrics)) expect(native.metrics[name]).toBeCloseTo(value, 4);
  });

  test('a loss without one, or that the engine does not list, is computed here', async () => {
    const batch = await makeBatch();
    const plain = await updatePolicy({ client: createClient(), ...settings({ batch, loss: gspo() }) });
    expect(plain.steps[0]?.lossIn).toBe('client');
    const client = createClient();
    const { losses: _, ...without } = await client.capabilities();
    const report = await updatePolicy({
      client: { ...client, capabilities: async () => without },
      ...settings({ batch, loss: dppoBinaryTv() }),
    });
    expect(report.steps[0]?.lossIn).toBe('client');
  });

  test('an engine that takes no gradient is refused a loss that it does not have', async () => {
    const client = createClient();
    const rigid: TrainingClient = { ...client, capabilities: async () => ({ ...(await client.capabilities()), customLoss: false }) };
    const batch = await makeBatch();
    expect((await updatePolicy({ client: rigid, ...settings({ batch, loss: dppoBinaryTv() }) })).completed).toBe(true);
    for (const given of [{ loss: dppoBinaryKl() }, { loss: dppoBinaryTv(), lossIn: 'client' } as const])
      await expect(updatePolicy({ client: rigid, ...settings({ batch, ...given }) })).rejects.toMatchObject({ code: 'unsupported' });
  });

  test('log-probabilities that are no numbers end the update after the step', async () => {
    const client = createClient();
    const sick: TrainingClient = {
      ...client,
      forwardBackwardLoss: async (call) =>
        ((await client.forwardBackwardLoss?.(call)) ?? []).map(({ logprobs }) => ({ logprobs: logprobs.map(() => Number.NaN) })),
    };
    const report = await updatePolicy({ client: sick, ...settings({ batch: await makeBatch(), loss: dppoBinaryTv() }) });
    expect(report).toMatchObject({ completed: false, steps: [], alarms: [{ kind: 'non-finite-logprobs', epoch: 0, minibatch: 0 }] });
  });
});

describe('alarms', () => {
  test('tell of a flood of masked tokens and of a collapsed entropy, and the step is taken', async () => {
    const batch = await makeBatch();
    const shared = settings({
      batch,
      loss: dppoBinaryTv({ deltaLow: 0.01, deltaHigh: 0.01 }),
      optimizer: { ...optimizer, learningRate: 2 },
    });
    const loud = await updatePolicy({ client: createClient(), ...shared, maskAlarm: 0.2, entropyAlarm: 1.5 });
    expect(loud.completed).toBe(true);
    expect(loud.steps).toHaveLength(6);
    expect(new Set(loud.alarms.map(({ kind }) => kind))).toEqual(new Set(['mask-flood', 'entropy-collapse']));
    const calm = await updatePolicy({ client: createClient(), ...settings({ batch, loss: dppoBinaryTv() }), epochs: 1, minibatches: 1 });
    expect(calm.alarms).toEqual([]);
  });

  test('an infinite gradient norm ends the update', async () => {
    const client = createClient();
    const sick: TrainingClient = {
      ...client,
      optimStep: async (call) => ({ ...(await client.optimStep(call)), gradientNorm: Number.POSITIVE_INFINITY }),
    };
    const report = await updatePolicy({ client: sick, ...settings({ batch: await makeBatch(), loss: dppoBinaryTv() }) });
    expect(report).toMatchObject({ completed: false, alarms: [{ kind: 'non-finite-gradient-norm' }] });
    expect(report.steps).toHaveLength(1);
  });
});

describe('a batch that does not fit', () => {
  test('the engine’s context is refused before anything is sent', async () => {
    const client = createClient();
    const narrow: TrainingClient = {
      ...client,
      capabilities: async () => ({ ...(await client.capabilities()), contextTokens: 6 }),
      forwardBackwardLoss: () => Promise.reject(new Error('must not be called')),
    };
    await expect(updatePolicy({ client: narrow, ...settings({ batch: await makeBatch(), loss: dppoBinaryTv() }) })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/at most 6 tokens.*got 7 in trajectory r/),
    });
  });

  test('a pack is refused, and so is a step to start at that is no whole number', async () => {
    const shared = settings({ batch: await makeBatch(), loss: dppoBinaryTv() });
    for (const bad of [{ maxPaddedTokens: 6 }, { startStep: -1 }, { minibatches: 0 }])
      await expect(updatePolicy({ client: createClient(), ...shared, ...bad })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});
