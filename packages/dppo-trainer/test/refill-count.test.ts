import { describe, expect, test } from 'vitest';
import { buildBatch, type RolloutGroup, refillCount } from '../src/index.js';
import { makeSegment, makeTrajectory, scored } from './make-trajectory.js';

const segment = makeSegment({ prompt: [1], sampled: [2] });
function makeGroup(taskId: string, rewards: readonly number[]): RolloutGroup {
  const rollouts = rewards.map((reward, index) => ({
    trajectory: makeTrajectory({ id: `${taskId}-${index}`, taskId, segments: [segment] }),
    outcome: scored(reward),
  }));
  return { taskId, rollouts };
}

/** The loop of the documentation, with every third task worth learning from, until `supply` tasks are used up. */
function fill(options: { wanted: number; supply: number; maxAsked?: number }) {
  const { supply, ...bounds } = options;
  const groups: RolloutGroup[] = [];
  const rounds: number[] = [];
  let asked = 0;
  for (let count = refillCount({ asked, ...bounds }); count > 0; ) {
    rounds.push(count);
    for (let task = asked; task < Math.min(supply, asked + count); task += 1)
      groups.push(makeGroup(`t${task}`, task % 3 === 0 ? [1, 0] : [1, 1]));
    asked += count;
    count = refillCount({ counts: buildBatch({ groups }).counts, asked, ...bounds });
  }
  return { rounds, counts: buildBatch({ groups }).counts };
}

describe('refillCount', () => {
  test('asks for what is missing until as many groups are kept as wanted', () => {
    const { rounds, counts } = fill({ wanted: 4, supply: 100 });
    // Kept are tasks 0, 3, 6 and 9: two of the first four, and one in each of the next rounds.
    expect(rounds).toEqual([4, 2, 2, 1, 1]);
    expect(counts).toMatchObject({ groups: 10, groupsKept: 4, groupsAllPass: 6 });
  });

  test('ends at the bound, four times as many as wanted unless told otherwise', () => {
    expect(fill({ wanted: 4, supply: 100, maxAsked: 7 }).counts).toMatchObject({ groups: 7, groupsKept: 3 });
    expect(fill({ wanted: 4, supply: 2 }).rounds.reduce((sum, count) => sum + count, 0)).toBe(16);
  });

  test('asks for nothing when enough are kept', () => {
    expect(refillCount({ counts: { groupsKept: 5 }, asked: 5, wanted: 4 })).toBe(0);
  });

  test.each([{ asked: -1 }, { asked: 0.5 }, { asked: 0, wanted: Number.NaN }])('refuses %j', (bad) => {
    expect(() => refillCount({ wanted: 4, ...bad })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});
