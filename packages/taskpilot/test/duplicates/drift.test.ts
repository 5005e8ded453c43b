import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DriftTask, measureDrift } from '../../src/duplicates/measure-drift.js';
import { mixTargets } from '../../src/duplicates/mix-targets.js';
import { type MixTask, mixDimensions, mixOf, type TaskMix } from '../../src/duplicates/task-mix.js';

const kind: MixTask = { repository: 'qs', operatorFamily: 'conditions', patchSize: 'tiny', statementRung: 'region' };
const make = (count: number, changes: Partial<DriftTask> = {}): DriftTask[] =>
  Array.from({ length: count }, () => ({ ...kind, isFresh: false, ...changes }));
const even: TaskMix = {
  repository: { qs: 0.5, tape: 0.5 },
  operatorFamily: { conditions: 1 },
  patchSize: { tiny: 1 },
  statementRung: { region: 1 },
};
const spread = (qs: number, tape: number, fresh = 10) =>
  [...make(qs), ...make(tape, { repository: 'tape' })].map((task, index) => ({ ...task, isFresh: index < fresh }));

test('shares, differences and KL are the hand values', () => {
  const { repository } = measureDrift({ tasks: spread(70, 30), target: even }).dimensions;
  expect(repository.shares).toEqual([
    { kind: 'qs', share: 0.7, target: 0.5, difference: expect.closeTo(0.2, 12) },
    { kind: 'tape', share: 0.3, target: 0.5, difference: expect.closeTo(-0.2, 12) },
  ]);
  expect(repository.largestDifference).toBeCloseTo(0.2, 12);
  // smoothed: .95 x .7 + .025 = .69 and .31 against .5 and .5
  expect(repository.klNats).toBeCloseTo(0.69 * Math.log(0.69 / 0.5) + 0.31 * Math.log(0.31 / 0.5), 12);
  expect(repository.holds).toBe(false);
});

test('ten points hold and eleven do not', () => {
  expect(measureDrift({ tasks: spread(60, 40), target: even }).holds).toBe(true);
  const drift = measureDrift({ tasks: spread(61, 39), target: even });
  expect(drift.dimensions.repository.holds).toBe(false);
  expect(drift.dimensions.patchSize.holds).toBe(true);
  expect(drift.holds).toBe(false);
});

test('KL fails where every difference is within ten points', () => {
  const kinds = Array.from({ length: 10 }, (_, index) => `k${index}`);
  const target: TaskMix = {
    ...even,
    repository: { qs: 1 },
    patchSize: Object.fromEntries(kinds.map((name) => [name, 0.1])),
  };
  // five kinds doubled, five gone: each is ten points off; smoothed .195 and .005 against .1
  const tasks = kinds.slice(0, 5).flatMap((patchSize) => make(20, { patchSize, isFresh: true }));
  const { patchSize } = measureDrift({ tasks, target }).dimensions;
  expect(patchSize.largestDifference).toBeCloseTo(0.1, 12);
  expect(patchSize.klNats).toBeCloseTo(5 * 0.195 * Math.log(1.95) + 5 * 0.005 * Math.log(0.05), 12);
  expect(patchSize.holds).toBe(false);
  expect(measureDrift({ tasks, target, maxKlNats: 1 }).dimensions.patchSize.holds).toBe(true);
});

test('a kind that is new or gone gives a finite KL and shows as a difference', () => {
  const { operatorFamily } = measureDrift({
    tasks: [...spread(48, 47), ...make(5, { operatorFamily: 'removals' })],
    target: even,
  }).dimensions;
  expect(operatorFamily.shares.map(({ kind: name, difference }) => [name, difference])).toEqual([
    ['conditions', expect.closeTo(-0.05, 12)],
    ['removals', 0.05],
  ]);
  expect(operatorFamily.klNats).toBeGreaterThan(0);
  expect(operatorFamily.holds).toBe(true);
});

test('a tenth of the tasks must be fresh', () => {
  expect(measureDrift({ tasks: spread(50, 50, 10), target: even }).fresh).toEqual({ share: 0.1, minimum: 0.1, holds: true });
  const stale = measureDrift({ tasks: spread(50, 50, 9), target: even });
  expect(stale.fresh).toEqual({ share: 0.09, minimum: 0.1, holds: false });
  expect(stale.holds).toBe(false);
});

const anyTask = fc.record({
  repository: fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'),
  operatorFamily: fc.constantFrom('x', 'y'),
  patchSize: fc.constantFrom('tiny', 'small'),
  statementRung: fc.constantFrom('file', 'line'),
  isFresh: fc.boolean(),
});

test('an iteration does not drift from itself, and KL is never negative', () => {
  fc.assert(
    fc.property(fc.array(anyTask, { minLength: 1 }), fc.array(anyTask, { minLength: 1 }), (tasks, others) => {
      const same = measureDrift({ tasks, target: mixOf(tasks) });
      const moved = measureDrift({ tasks, target: mixOf(others) });
      for (const { largestDifference, klNats } of Object.values(same.dimensions)) expect([largestDifference, klNats]).toEqual([0, 0]);
      for (const { klNats } of Object.values(moved.dimensions)) expect(klNats).toBeGreaterThanOrEqual(-1e-12);
    }),
  );
});

test('says which kinds are short, the shortest first, and which have no room', () => {
  const target: TaskMix = { ...even, repository: { qs: 0.5, tape: 0.3, zod: 0.2 } };
  const tasks = [...make(6), ...make(1, { repository: 'tape' }), ...make(1, { repository: 'other' })];
  const targets = mixTargets({ tasks, target, count: 10 }).filter(({ dimension }) => dimension === 'repository');
  expect(targets.map(({ kind: name, have, wanted, atMost, short, room }) => [name, have, wanted, atMost, short, room])).toEqual([
    ['tape', 1, 3, 4, 2, 3],
    ['zod', 0, 2, 3, 2, 3],
    ['qs', 6, 5, 6, 0, 0],
    ['other', 1, 0, 1, 0, 0],
  ]);
});

test('wanted tasks sum to the count in every dimension, and a mix filled that way holds', () => {
  fc.assert(
    fc.property(fc.array(anyTask, { minLength: 1 }), fc.integer({ min: 20, max: 300 }), (tasks, count) => {
      const targets = mixTargets({ tasks: [], target: mixOf(tasks), count });
      expect(targets.every(({ wanted, atMost }) => wanted <= atMost)).toBe(true);
      const names = (wantedIn: keyof MixTask) =>
        targets.flatMap(({ dimension, kind: name, wanted }) => (dimension === wantedIn ? Array<string>(wanted).fill(name) : []));
      const [repository, operatorFamily, patchSize, statementRung] = mixDimensions.map(names);
      for (const kinds of [repository, operatorFamily, patchSize, statementRung]) expect(kinds).toHaveLength(count);
      const filled = Array.from({ length: count }, (_, index) => ({
        repository: repository?.[index] as string,
        operatorFamily: operatorFamily?.[index] as string,
        patchSize: patchSize?.[index] as string,
        statementRung: statementRung?.[index] as string,
        isFresh: true,
      }));
      expect(measureDrift({ tasks: filled, target: mixOf(tasks) }).holds).toBe(true);
    }),
  );
});

test('no tasks, a mix that sums to no 1, and a senseless count are refused', () => {
  const refused = expect.objectContaining({ code: 'invalid-input' });
  expect(() => measureDrift({ tasks: [], target: even })).toThrowError(refused);
  expect(() => measureDrift({ tasks: make(1), target: { ...even, repository: { qs: 0.7 } } })).toThrowError(refused);
  expect(() => measureDrift({ tasks: make(1), target: { ...even, repository: { qs: 1.5, tape: -0.5 } } })).toThrowError(refused);
  expect(() => measureDrift({ tasks: make(1), target: even, smoothing: 0 })).toThrowError(refused);
  expect(() => mixTargets({ tasks: [], target: even, count: 0 })).toThrowError(refused);
});
