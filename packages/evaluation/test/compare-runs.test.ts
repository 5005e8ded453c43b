import type { Outcome } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareRuns, comparisonTable, formatRate, type RunOutcome, rate } from '../src/index.js';

const scored = (reward: number): Outcome => ({ status: 'scored', reward, components: {}, tests: [] });
const unscored: Outcome = { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'gone' };
const run = (...outcomes: readonly (Outcome | null)[]): RunOutcome[] =>
  outcomes.flatMap((outcome, task) => (outcome ? [{ taskId: `task-${task}`, sample: 0, outcome }] : []));

describe('compareRuns', () => {
  test('gives the published interval and p-value of the airway data', () => {
    const kinds = [
      { count: 1, before: 1, after: 1 },
      { count: 1, before: 1, after: 0 },
      { count: 7, before: 0, after: 1 },
      { count: 12, before: 0, after: 0 },
    ];
    const pairs = kinds.flatMap(({ count, before, after }) => Array.from({ length: count }, () => ({ before, after })));
    const comparison = compareRuns({
      before: run(...pairs.map((p) => scored(p.before))),
      after: run(...pairs.map((p) => scored(p.after))),
    });
    expect(comparison).toMatchObject({ pairs: 21, tasks: 21, bothPassed: 1, onlyBefore: 1, onlyAfter: 7, neither: 12 });
    expect(comparison.difference).toBeCloseTo(6 / 21, 12);
    expect(comparison.interval?.[0]).toBeCloseTo(0.013, 3);
    expect(comparison.interval?.[1]).toBeCloseTo(0.508, 3);
    expect(comparison.pValue).toBeCloseTo(0.0703, 4);
    expect(comparison.before?.successes).toBe(2);
    expect(comparison.after?.successes).toBe(8);
  });

  test('counts what cannot be paired and keeps it out of both rates', () => {
    const comparison = compareRuns({
      before: run(scored(1), scored(0), unscored, scored(1), null),
      after: run(scored(1), unscored, scored(1), null, scored(1)),
    });
    expect(comparison.pairs).toBe(1);
    expect(comparison.unpaired).toEqual({ before: 1, after: 1, unscored: 2 });
    expect(comparison.after?.trials).toBe(1);
  });

  test('pairs by sample as well as by task', () => {
    const at = (sample: number, reward: number) => ({ taskId: 'task', sample, outcome: scored(reward) });
    const comparison = compareRuns({ before: [at(0, 1), at(1, 0)], after: [at(1, 1), at(0, 0)] });
    expect(comparison).toMatchObject({ pairs: 2, tasks: 1, onlyBefore: 1, onlyAfter: 1 });
  });

  test('a partial reward is no pass', () => {
    expect(compareRuns({ before: run(scored(0.5)), after: run(scored(1)) })).toMatchObject({ onlyAfter: 1, bothPassed: 0 });
  });

  test('says nothing when nothing can be paired', () => {
    expect(compareRuns({ before: run(unscored), after: run(scored(1)) })).toMatchObject({
      pairs: 0,
      difference: null,
      interval: null,
      pValue: null,
    });
  });

  test('refuses a run that has one sample twice', () => {
    const twice = [...run(scored(1)), ...run(scored(0))];
    expect(() => compareRuns({ before: twice, after: [] })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  test('its interval lies in [-1, 1], contains the difference and always has width', () => {
    const pair = fc.record({ before: fc.constantFrom(0, 1), after: fc.constantFrom(0, 1) });
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 60 }), (pairs) => {
        const { difference, interval } = compareRuns({
          before: run(...pairs.map(({ before }) => scored(before))),
          after: run(...pairs.map(({ after }) => scored(after))),
        });
        const [low, high] = interval ?? [Number.NaN, Number.NaN];
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(difference ?? Number.NaN);
        expect(high).toBeGreaterThanOrEqual(difference ?? Number.NaN);
        expect(high).toBeGreaterThan(low);
      }),
    );
  });
});

test('formats a rate with its interval in percent', () => {
  expect(formatRate(rate({ successes: 14, trials: 50 }))).toBe('14/50 = 28.0 % [17.5, 41.7]');
});

test('prints one aligned row a run', () => {
  const table = comparisonTable({
    rows: [
      { label: 'before', rate: rate({ successes: 1, trials: 10 }), unscored: 0 },
      { label: 'a | b', rate: null, unscored: 10 },
    ],
  }).split('\n');
  expect(table).toHaveLength(4);
  expect(new Set(table.map((line) => line.length)).size).toBe(1);
  expect(table[2]).toContain('1/10 = 10.0 %');
  expect(table[3]).toContain('a \\| b');
  expect(table[3]).toContain('no scored rollout');
});
