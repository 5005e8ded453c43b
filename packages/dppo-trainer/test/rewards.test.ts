import { type RewardFunction, TadpoleError, type Task } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { composeRewards, successReward } from '../src/index.js';
import { makeSegment, makeTrajectory, scored } from './make-trajectory.js';

const task = {} as Task;
const trajectory = makeTrajectory({ id: 'r1', segments: [makeSegment({ prompt: [1], sampled: Array(20).fill(2) })] });
const call = { trajectory, outcome: scored(1), task };
const constant = (name: string, score: number, reason?: string): RewardFunction => ({
  name,
  score: () => ({ score, ...(reason === undefined ? {} : { reason }) }),
});

describe('composeRewards', () => {
  test('adds scores by weight and keeps every part with its reason', async () => {
    const reward = composeRewards({
      rewards: [
        { reward: constant('tests', 1), weight: 1 },
        { reward: constant('style', 0.4, 'two warnings'), weight: 0.5 },
        { reward: constant('edits', 3), weight: -0.1 },
      ],
    });
    const result = await reward.score(call);
    expect(result.score).toBeCloseTo(1 + 0.2 - 0.3, 12);
    expect(result.parts).toEqual({
      tests: { score: 1, weight: 1 },
      style: { score: 0.4, reason: 'two warnings', weight: 0.5 },
      edits: { score: 3, weight: -0.1 },
    });
    expect(reward.name).toBe('tests+style+edits');
    expect(reward.liveState).toBeUndefined();
  });

  test('is a reward function itself, so that compositions compose, and needs the live state of its parts', async () => {
    const inner = composeRewards({
      name: 'inner',
      rewards: [{ reward: { ...constant('probe', 2), liveState: 'the sandbox' }, weight: 2 }],
    });
    const outer = composeRewards({ rewards: [{ reward: inner, weight: 10 }] });
    const result = await outer.score(call);
    expect(result.score).toBe(40);
    expect(result.parts.inner).toMatchObject({ score: 4, parts: { probe: { score: 2, weight: 2 } } });
    expect(outer.liveState).toBe('the sandbox');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses a score of %d by the name of who gave it', async (bad) => {
    const reward = composeRewards({
      rewards: [
        { reward: constant('good', 1), weight: 1 },
        { reward: constant('bad', bad), weight: 0 },
      ],
    });
    await expect(reward.score(call)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/"bad" of trajectory r1.*finite/),
    });
  });

  test('an error of a part names it and keeps the cause; the code of a TadpoleError stays', async () => {
    const throwing = (error: unknown) =>
      composeRewards({ rewards: [{ reward: { name: 'judge', score: () => Promise.reject(error) }, weight: 1 }] }).score(call);
    const cause = new Error('no key');
    await expect(throwing(cause)).rejects.toMatchObject({
      code: 'invalid-input',
      cause,
      message: expect.stringMatching(/"judge".*no key/),
    });
    await expect(throwing(new TadpoleError({ code: 'aborted', message: 'stopped' }))).rejects.toMatchObject({ code: 'aborted' });
  });

  test.each([
    ['no parts', []],
    [
      'two parts of one name',
      [
        { reward: constant('a', 1), weight: 1 },
        { reward: constant('a', 2), weight: 1 },
      ],
    ],
    ['a weight that is no number', [{ reward: constant('a', 1), weight: Number.NaN }]],
  ])('refuses %s', (_name, rewards) => {
    expect(() => composeRewards({ rewards })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});

describe('successReward', () => {
  const score = async (options: Parameters<typeof successReward>[0], reward: number, stopReason: 'agent' | 'max-turns' = 'agent') =>
    (await successReward(options).score({ ...call, outcome: scored(reward), trajectory: { ...trajectory, stopReason } })).score;

  test('length counts from the third iteration on, for whole passes alone', async () => {
    const short = { alpha: 0.1, referenceTokens: 10 };
    expect(await score({ iteration: 1, ...short }, 1)).toBe(1);
    expect(await score({ iteration: 2, ...short }, 1)).toBeCloseTo(1 - 0.1 * Math.log(2), 12);
    expect(await score({ iteration: 2, ...short }, 1, 'max-turns')).toBe(0.5);
    expect(await score({ iteration: 2, ...short }, 0)).toBe(0);
    expect(await score({ iteration: 2 }, 1)).toBe(1);
  });

  test('the iteration and the worth of a truncated pass are options', async () => {
    expect(await score({ iteration: 0, lengthTermFromIteration: 0, referenceTokens: 10 }, 1)).toBeLessThan(1);
    expect(await score({ iteration: 0, truncatedReward: 0.25 }, 1, 'max-turns')).toBe(0.25);
  });
});
