import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupAdvantages, groupSignal } from '../src/index.js';

describe('groupAdvantages', () => {
  test('divides by the sample standard deviation: one pass in four', () => {
    const advantages = groupAdvantages({ rewards: [1, 0, 0, 0] });
    expect(advantages[0]).toBeCloseTo(0.75 / (0.5 + 1e-6), 12);
    expect(advantages[1]).toBeCloseTo(-0.25 / (0.5 + 1e-6), 12);
  });

  test('mean only subtracts the mean', () => {
    expect(groupAdvantages({ rewards: [1, 0, 0, 0], normalisation: 'mean' })).toEqual([0.75, -0.25, -0.25, -0.25]);
  });

  test('leave-one-out compares each reward with the mean of the others', () => {
    const advantages = groupAdvantages({ rewards: [1, 0.5, 0], normalisation: 'leave-one-out' });
    expect(advantages[0]).toBeCloseTo(1 - 0.25, 12);
    expect(advantages[1]).toBeCloseTo(0.5 - 0.5, 12);
    expect(advantages[2]).toBeCloseTo(0 - 0.75, 12);
  });

  test('a constant group gives zeros, not infinities', () => {
    expect(groupAdvantages({ rewards: [1, 1, 1] })).toEqual([0, 0, 0]);
  });

  test('sums to zero, keeps the order of rewards and ignores their order', () => {
    const rewards = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 16 });
    const normalisation = fc.constantFrom('mean-std', 'mean', 'leave-one-out' as const);
    fc.assert(
      fc.property(rewards, normalisation, (values, kind) => {
        const advantages = groupAdvantages({ rewards: values, normalisation: kind });
        expect(Math.abs(advantages.reduce((sum, a) => sum + a, 0))).toBeLessThan(1e-9 * values.length);
        const reversed = groupAdvantages({ rewards: [...values].reverse(), normalisation: kind }).reverse();
        for (const [i, advantage] of reversed.entries()) expect(advantage).toBeCloseTo(advantages[i] ?? Number.NaN, 9);
        for (let i = 1; i < values.length; i += 1) {
          if ((values[i] ?? 0) > (values[i - 1] ?? 0)) expect(advantages[i]).toBeGreaterThanOrEqual(advantages[i - 1] ?? Number.NaN);
        }
      }),
    );
  });

  test.each([[[1]], [[1, Number.NaN]], [[]]])('refuses %j', (rewards) => {
    expect(() => groupAdvantages({ rewards })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});

describe('groupSignal', () => {
  test.each([
    [[1, 0], 'mixed'],
    [[1, 1, 1], 'all-pass'],
    [[0, 0], 'all-fail'],
    [[0.5, 0.5], 'other-constant'],
    [[1, 1 - 1e-9], 'all-pass'],
    [[0, 1e-9], 'all-fail'],
    [[0.3, 0.1 + 0.2], 'other-constant'],
  ] as const)('calls %j %s', (rewards, signal) => {
    expect(groupSignal(rewards)).toBe(signal);
  });

  test('the tolerance is the caller’s', () => {
    expect(groupSignal([1, 0.97], { tolerance: 0.05 })).toBe('all-pass');
  });
});
