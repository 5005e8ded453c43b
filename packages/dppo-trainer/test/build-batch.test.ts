import type { Trajectory } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildBatch, buildSequences, rolloutLag } from '../src/index.js';
import { makeSegment, makeTrajectory, scored } from './make-trajectory.js';

const segment = makeSegment({ prompt: [5, 6], sampled: [7, 8], logprobs: [-0.5, -0.25] });
const rollout = (id: string, reward: number, shaped?: number) => ({
  trajectory: makeTrajectory({ id, segments: [segment] }),
  outcome: scored(reward),
  ...(shaped === undefined ? {} : { reward: shaped }),
});

describe('buildSequences', () => {
  test('shifts by one: position t speaks about the token that follows', () => {
    const [sequence] = buildSequences({ trajectory: makeTrajectory({ id: 'a', segments: [segment] }), advantage: 2 });
    expect(sequence?.datum).toEqual({ inputs: Int32Array.from([5, 6, 7]), targets: Int32Array.from([6, 7, 8]) });
    expect(sequence?.mask).toEqual(Float32Array.from([0, 1, 1]));
    expect(sequence?.rolloutLogprobs).toEqual(Float32Array.from([0, -0.5, -0.25]));
    expect(sequence?.advantages).toEqual(Float32Array.from([0, 2, 2]));
    expect(sequence?.trainedTokens).toBe(2);
  });

  test('trains exactly the sampled tokens, whatever the interleaving of turns and observations', () => {
    const step = fc.record({ id: fc.nat(99), own: fc.boolean(), logprob: fc.double({ min: -20, max: 0, noNaN: true }) });
    const steps = fc.array(step, { minLength: 1, maxLength: 40 }).filter((all) => all.some(({ own }) => own));
    fc.assert(
      fc.property(steps, (all) => {
        const segments = [
          {
            ids: [1, ...all.map(({ id }) => id)],
            mask: [false, ...all.map(({ own }) => own)],
            logprobs: [0, ...all.map(({ own, logprob }) => (own ? logprob : 0))],
            weightsVersions: ['v0'],
          },
        ];
        const [sequence] = buildSequences({ trajectory: makeTrajectory({ id: 'a', segments }), advantage: 1 });
        expect(sequence?.trainedTokens).toBe(all.filter(({ own }) => own).length);
        all.forEach(({ id, own, logprob }, t) => {
          expect(sequence?.datum.targets[t]).toBe(id);
          expect(sequence?.mask[t]).toBe(own ? 1 : 0);
          expect(sequence?.rolloutLogprobs[t]).toBe(own ? Math.fround(logprob) : 0);
          expect(sequence?.advantages[t]).toBe(own ? 1 : 0);
        });
      }),
    );
  });

  test('names the cause when a policy returned no token ids', () => {
    const trajectory = makeTrajectory({ id: 'a', segments: [] });
    expect(() => buildSequences({ trajectory, advantage: 1 })).toThrow(/returned no token ids/);
  });

  test.each([
    ['a sampled first token', { ids: [1, 2], mask: [true, true], logprobs: [-1, -1], weightsVersions: ['v0'] }],
    ['a missing log-probability', { ids: [1, 2], mask: [false, true], logprobs: [0, Number.NaN], weightsVersions: ['v0'] }],
    ['a positive log-probability', { ids: [1, 2], mask: [false, true], logprobs: [0, 0.3], weightsVersions: ['v0'] }],
    ['records of unequal length', { ids: [1, 2, 3], mask: [false, true], logprobs: [0, -1], weightsVersions: ['v0'] }],
    ['nothing sampled', { ids: [1, 2], mask: [false, false], logprobs: [0, 0], weightsVersions: ['v0'] }],
    ['a token of unknown weights', { ids: [1, 2], mask: [false, true], logprobs: [0, -1], weightsVersions: [] }],
    [
      'several weights that do not say which sampled what',
      { ids: [1, 2], mask: [false, true], logprobs: [0, -1], weightsVersions: ['a', 'b'] },
    ],
    [
      'weights that are not the segment’s',
      { ids: [1, 2], mask: [false, true], logprobs: [0, -1], weightsVersions: ['a', 'b'], versionIndices: [0, 2] },
    ],
  ])('refuses %s', (_name, bad) => {
    const trajectory = makeTrajectory({ id: 'a', segments: [bad] });
    expect(() => buildSequences({ trajectory, advantage: 1 })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});

describe('buildSequences, against the engine', () => {
  const cutOff = (stopReason: Trajectory['stopReason']) => ({ ...makeTrajectory({ id: 'a', segments: [segment] }), stopReason });

  test('takes a segment of several weights that says which sampled what', () => {
    const mixed = {
      ids: [1, 2, 3],
      mask: [false, true, true],
      logprobs: [0, -1, -1],
      weightsVersions: ['a', 'b'],
      versionIndices: [0, 0, 1],
    };
    expect(buildSequences({ trajectory: makeTrajectory({ id: 'a', segments: [mixed] }), advantage: 1 })).toHaveLength(1);
  });

  test('gives every segment of a rollout a sequence of its own', () => {
    const trajectory = makeTrajectory({ id: 'a', segments: [segment, makeSegment({ prompt: [9], sampled: [8] })] });
    expect(buildSequences({ trajectory, advantage: 1 }).map(({ datum }) => [...datum.targets])).toEqual([[6, 7, 8], [8]]);
  });

  test('refuses a segment that is longer than the context, by name', () => {
    const trajectory = cutOff('agent');
    expect(buildSequences({ trajectory, advantage: 1, contextTokens: 4 })).toHaveLength(1);
    expect(() => buildSequences({ trajectory, advantage: 1, contextTokens: 3 })).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringMatching(/segment 0 of trajectory a, got 4/) }),
    );
  });

  test('refuses a stop id at the end of a turn that was cut off, for it cannot have been sampled', () => {
    expect(() => buildSequences({ trajectory: cutOff('max-tokens-per-turn'), advantage: 1, stopIds: [8] })).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringMatching(/appended, not sampled/) }),
    );
    expect(buildSequences({ trajectory: cutOff('max-tokens-per-turn'), advantage: 1, stopIds: [7] })).toHaveLength(1);
    expect(buildSequences({ trajectory: cutOff('agent'), advantage: 1, stopIds: [8] })).toHaveLength(1);
  });
});

describe('buildBatch', () => {
  test('gives each rollout its group’s advantage', () => {
    const { sequences } = buildBatch({ groups: [{ taskId: 'task', rollouts: [rollout('a', 1), rollout('b', 0)] }], normalisation: 'mean' });
    expect(sequences.map(({ trajectoryId, advantages }) => [trajectoryId, advantages[2]])).toEqual([
      ['a', 0.5],
      ['b', -0.5],
    ]);
  });

  test('drops constant groups and counts them by kind', () => {
    const group = (...rollouts: ReturnType<typeof rollout>[]) => ({ taskId: 'task', rollouts });
    const { counts } = buildBatch({
      groups: [
        group(rollout('a', 1), rollout('b', 0)),
        group(rollout('c', 1), rollout('d', 1)),
        group(rollout('e', 0), rollout('f', 0)),
        group(rollout('g', 0), rollout('h', 0)),
        group(rollout('i', 0.5), rollout('j', 0.5)),
        group(rollout('k', 1)),
      ],
    });
    expect(counts).toEqual({
      groups: 6,
      groupsKept: 1,
      groupsAllPass: 1,
      groupsAllFail: 2,
      groupsOtherConstant: 1,
      groupsTooSmall: 1,
      rolloutsStale: 0,
      rollouts: 2,
      sequences: 2,
      trainedTokens: 4,
    });
  });

  test('filters on raw rewards unless told otherwise, and makes advantages of shaped ones', () => {
    const groups = [{ taskId: 'task', rollouts: [rollout('a', 1, 0.9), rollout('b', 1, 0.7)] }];
    expect(buildBatch({ groups }).counts.groupsAllPass).toBe(1);
    const { sequences } = buildBatch({ groups, filterOn: 'shaped', normalisation: 'mean' });
    expect(sequences[0]?.advantages[2]).toBeCloseTo(0.1, 6);
  });

  test('counts a dropped group by what happened in it, and drops one whose shaped rewards are equal under either filter', () => {
    const group = (...rollouts: ReturnType<typeof rollout>[]) => ({ taskId: 'task', rollouts });
    const equalPasses = buildBatch({ groups: [group(rollout('a', 1, 0.9), rollout('b', 1, 0.9))], filterOn: 'shaped' });
    expect(equalPasses.counts).toMatchObject({ groupsKept: 0, groupsAllPass: 1, groupsOtherConstant: 0 });
    for (const filterOn of ['raw', 'shaped'] as const) {
      const levelled = buildBatch({ groups: [group(rollout('c', 1, 0.5), rollout('d', 0, 0.5))], filterOn });
      expect(levelled.counts).toMatchObject({ groupsKept: 0, groupsOtherConstant: 1 });
    }
  });

  test('the bound on the lag is 1 unless told otherwise, and the lag of what is left is counted', () => {
    const aged = (id: string, reward: number, version: string) => ({
      trajectory: makeTrajectory({ id, segments: [makeSegment({ prompt: [1], sampled: [2], version })] }),
      outcome: scored(reward),
    });
    const groups = [{ taskId: 'task', rollouts: [aged('a', 1, 'v2'), aged('b', 0, 'v1'), aged('c', 0, 'v0')] }];
    const history = ['v0', 'v1', 'v2'];
    expect(buildBatch({ groups, staleness: { history } }).counts).toMatchObject({
      rolloutsStale: 1,
      rollouts: 2,
      rolloutLagMean: 0.5,
      rolloutLagMax: 1,
    });
    expect(buildBatch({ groups, staleness: { history, maxLag: 2 } }).counts).toMatchObject({ rolloutsStale: 0, rolloutLagMax: 2 });
    expect(buildBatch({ groups: [], staleness: { history } }).counts).not.toHaveProperty('rolloutLagMax');
  });

  test('passes the engine’s limits on', () => {
    const groups = [{ taskId: 'task', rollouts: [rollout('a', 1), rollout('b', 0)] }];
    expect(() => buildBatch({ groups, contextTokens: 3 })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  test.each([
    ['the same rollout twice', [rollout('a', 1), rollout('a', 1), rollout('b', 0)]],
    ['a shaped reward that is no number', [rollout('a', 1, Number.NaN), rollout('b', 0)]],
  ])('refuses %s, by name', (_name, rollouts) => {
    expect(() => buildBatch({ groups: [{ taskId: 'task', rollouts }] })).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringMatching(/trajectory a of task task/) }),
    );
  });

  test('drops rollouts older than the bound, before groups are judged', () => {
    const aged = (id: string, reward: number, version: string) => ({
      trajectory: makeTrajectory({ id, segments: [makeSegment({ prompt: [1], sampled: [2], version })] }),
      outcome: scored(reward),
    });
    const rollouts = [aged('a', 1, 'v3'), aged('b', 0, 'v2'), aged('c', 0, 'v1'), aged('d', 0, 'unknown')];
    const { counts, sequences } = buildBatch({
      groups: [{ taskId: 'task', rollouts }],
      staleness: { history: ['v0', 'v1', 'v2', 'v3'], maxLag: 1 },
    });
    expect(counts.rolloutsStale).toBe(2);
    expect(sequences.map(({ trajectoryId }) => trajectoryId)).toEqual(['a', 'b']);
  });

  test('refuses a rollout of another task', () => {
    const stray = { trajectory: makeTrajectory({ id: 'x', taskId: 'other', segments: [segment] }), outcome: scored(0) };
    expect(() => buildBatch({ groups: [{ taskId: 'task', rollouts: [rollout('a', 1), stray] }] })).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  });

  test('an unscored outcome cannot enter, by type', () => {
    const outcome = { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'gone' } as const;
    // @ts-expect-error an unscored outcome has no reward
    const group = { taskId: 'task', rollouts: [rollout('a', 1), { ...rollout('b', 0), outcome }] } satisfies Parameters<
      typeof buildBatch
    >[0]['groups'][number];
    expect(() => buildBatch({ groups: [group as never] })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});

test('a rollout is as old as its oldest weights', () => {
  const segments = [makeSegment({ prompt: [1], sampled: [2], version: 'v2' }), makeSegment({ prompt: [1], sampled: [2], version: 'v1' })];
  expect(rolloutLag({ trajectory: makeTrajectory({ id: 'a', segments }), history: ['v0', 'v1', 'v2', 'v3'] })).toBe(2);
});
