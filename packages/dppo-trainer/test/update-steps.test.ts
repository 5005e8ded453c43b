import type { Loss, TrainingClient } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import {
  type Aggregation,
  dppoBinaryKl,
  dppoBinaryTv,
  importanceSampling,
  type StepReport,
  updatePolicy,
  updateSteps,
} from '../src/index.js';
import { batchOf, createClient, createRandom, rollOut } from './bigram-rollouts.js';
import { createDirectory, expectNear, makeBatch, settings, stateOf, weightsOf } from './update-settings.js';

describe('resuming', () => {
  test('the same seed gives the same bits', async () => {
    const [left, right] = [createClient(), createClient()];
    const batch = await makeBatch();
    for (const client of [left, right]) await updatePolicy({ client, ...settings({ batch, loss: dppoBinaryTv() }) });
    expect(await stateOf(left)).toBe(await stateOf(right));
    const other = createClient();
    const random = createRandom();
    random();
    await updatePolicy({ client: other, ...settings({ batch, loss: dppoBinaryTv(), random }) });
    expect(await stateOf(other)).not.toBe(await stateOf(left));
  });

  test.each(['engine', 'client'] as const)(
    'from any step on equals an uninterrupted update, bit for bit, with the loss in the %s',
    async (lossIn) => {
      const batch = await makeBatch();
      const given = () => settings({ batch, loss: dppoBinaryTv(), lossIn, maxPaddedTokens: 20 });
      const whole = createClient();
      const saved: string[] = [];
      const steps = updateSteps({ client: whole, ...given() });
      for await (const { step } of steps) {
        expect(step).toBe(saved.length);
        const directory = await createDirectory();
        await whole.saveState(directory);
        saved.push(directory);
      }
      expect(saved).toHaveLength(6);
      for (const [index, directory] of saved.entries()) {
        const resumed = createClient();
        await resumed.loadState(directory);
        const report = await updatePolicy({ client: resumed, ...given(), startStep: index + 1 });
        expect(report.steps.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4, 5].slice(index + 1));
        expect(report.completed).toBe(true);
        expect(await stateOf(resumed)).toBe(await stateOf(whole));
      }
    },
  );

  test('yields a step only when nothing is in flight', async () => {
    const client = createClient();
    let inFlight = 0;
    const watched = watching(client, {
      before: () => {
        inFlight += 1;
      },
      after: () => {
        inFlight -= 1;
      },
    });
    for await (const _step of updateSteps({ client: watched, ...settings({ batch: await makeBatch(), loss: dppoBinaryTv() }) }))
      expect(inFlight).toBe(0);
  });
});

describe('packs', () => {
  test.each(['token-mean', 'trajectory-mean', 'sum', { kind: 'length-normalised', length: 9 }] satisfies Aggregation[])(
    'do not change the update: %j',
    async (aggregation) => {
      const batch = await makeBatch();
      const [whole, packed] = [createClient(), createClient()];
      const loss = dppoBinaryTv({ aggregation });
      const one = await updatePolicy({ client: whole, ...settings({ batch, loss, lossIn: 'client' }) });
      const many = await updatePolicy({ client: packed, ...settings({ batch, loss, lossIn: 'client', maxPaddedTokens: 14 }) });
      expect(one.steps.map(({ packs }) => packs)).toEqual([1, 1, 1, 1, 1, 1]);
      expect(many.steps.map(({ packs }) => packs)).toEqual([2, 2, 2, 2, 2, 2]);
      expectNear(await weightsOf(packed), await weightsOf(whole), 1e-9);
      expect(many.metrics.loss).toBeCloseTo(one.metrics.loss ?? Number.NaN, 9);
    },
  );

  test('a rollout of several segments is whole in its minibatch and in the eyes of the loss', async () => {
    const rollouts = await rollOut(createClient(), { count: 6, seed: 5 });
    const doubled = rollouts.map((rollout) => ({
      ...rollout,
      trajectory: { ...rollout.trajectory, segments: rollout.trajectory.segments.flatMap((segment) => [segment, segment]) },
    }));
    const batch = batchOf(doubled);
    const seen: number[][] = [];
    const spy: Loss = (inputs) => {
      seen.push([...(inputs.trajectories ?? [])]);
      return importanceSampling()(inputs);
    };
    await updatePolicy({ client: createClient(), ...settings({ batch, loss: spy, epochs: 1, maxPaddedTokens: 7 }) });
    expect(seen).toHaveLength(3);
    for (const trajectories of seen) {
      // Two rollouts a minibatch, each with two segments of seven positions.
      expect([...trajectories].sort()).toEqual([...Array(14).fill(0), ...Array(14).fill(1)]);
    }
  });
});

describe('calls to the engine', () => {
  test('are made in order and none waits for the one before where it need not', async () => {
    const started: string[] = [];
    const finished: string[] = [];
    const client = watching(createClient(), { before: (name) => started.push(name), after: (name) => finished.push(name), slow: true });
    const atFirstAnswer: string[][] = [];
    const pushed = finished.push.bind(finished);
    finished.push = (...names) => {
      atFirstAnswer.push([...started]);
      return pushed(...names);
    };
    const shared = settings({ batch: await makeBatch(4), loss: dppoBinaryTv(), minibatches: 1, epochs: 1, maxPaddedTokens: 14 });
    await updatePolicy({ client, ...shared, lossIn: 'client' });
    expect(started).toEqual(['forward', 'forward', 'forwardBackward', 'forwardBackward', 'optimStep']);
    expect(atFirstAnswer[0]).toEqual(['forward', 'forward']);
    expect(atFirstAnswer[2]).toEqual(started);
    started.length = 0;
    await updatePolicy({ client, ...shared, lossIn: 'engine' });
    expect(started).toEqual(['forwardBackwardLoss', 'forwardBackwardLoss', 'optimStep']);
  });

  test('carry the log-probabilities of the forward, for engines that take no gradient', async () => {
    const client = createClient();
    const calls: Parameters<TrainingClient['forwardBackward']>[0][] = [];
    const spy: TrainingClient = {
      ...client,
      forwardBackward(call) {
        calls.push(call);
        return client.forwardBackward(call);
      },
    };
    await updatePolicy({ client: spy, ...settings({ batch: await makeBatch(), loss: dppoBinaryKl(), epochs: 1, maxPaddedTokens: 14 }) });
    expect(calls).toHaveLength(6);
    const first = calls.slice(0, 2);
    const fresh = await createClient().forward({ data: first.flatMap(({ data }) => data) });
    expect(first.flatMap(({ logprobs }) => logprobs ?? [])).toEqual(fresh.map(({ logprobs }) => logprobs));
  });

  test.each(['forward', 'forwardBackwardLoss'] as const)('that answer with less than was asked are an engine error: %s', async (name) => {
    const client = createClient();
    const call = name === 'forward' ? client.forward : client.forwardBackwardLoss;
    const half: TrainingClient = { ...client, [name]: async (given: never) => ((await call?.(given)) ?? []).slice(1) };
    const shared = settings({ batch: await makeBatch(), loss: dppoBinaryTv(), lossIn: name === 'forward' ? 'client' : 'engine' });
    await expect(updatePolicy({ client: half, ...shared })).rejects.toMatchObject({ code: 'engine' });
  });

  test('when one fails, its error comes after the others have ended', async () => {
    const client = createClient();
    const ended: string[] = [];
    const failing = watching(client, { before: () => {}, after: (name) => ended.push(name), slow: true });
    const sick: TrainingClient = { ...failing, forwardBackward: () => Promise.reject(new Error('lost')) };
    const shared = settings({ batch: await makeBatch(), loss: dppoBinaryKl() });
    await expect(updatePolicy({ client: sick, ...shared })).rejects.toThrow('lost');
    expect(ended).toEqual(['forward', 'optimStep']);
  });
});

/** A client that tells when a training call starts and ends; `slow` lets every call take a few turns of the event loop. */
function watching(
  client: TrainingClient,
  options: { before: (name: string) => void; after: (name: string) => void; slow?: boolean },
): TrainingClient {
  const { before, after, slow = false } = options;
  let queue: Promise<unknown> = Promise.resolve();
  const watch = <Call, Answer>(name: string, call: (given: Call) => Promise<Answer>) => {
    return (given: Call): Promise<Answer> => {
      before(name);
      const answer = queue.then(async () => {
        if (slow) await new Promise((resolve) => setImmediate(resolve));
        const result = await call(given);
        after(name);
        return result;
      });
      queue = answer;
      return answer;
    };
  };
  return {
    ...client,
    forward: watch('forward', client.forward),
    forwardBackward: watch('forwardBackward', client.forwardBackward),
    optimStep: watch('optimStep', client.optimStep),
    ...(client.forwardBackwardLoss && { forwardBackwardLoss: watch('forwardBackwardLoss', client.forwardBackwardLoss) }),
  };
}

test('every step says where it stands', async () => {
  const steps: StepReport[] = [];
  for await (const step of updateSteps({ client: createClient(), ...settings({ batch: await makeBatch(), loss: dppoBinaryTv() }) }))
    steps.push(step);
  expect(steps.map(({ step, epoch, minibatch }) => [step, epoch, minibatch])).toEqual([
    [0, 0, 0],
    [1, 0, 1],
    [2, 0, 2],
    [3, 1, 0],
    [4, 1, 1],
    [5, 1, 2],
  ]);
});
