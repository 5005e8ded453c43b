import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateDifference } from '../src/index.js';

describe('the difference of two rates', () => {
  it('has the interval of a published example', () => {
    // Newcombe 1998, Table II, row (a): 56/70 against 48/80, method 10.
    const { difference, interval, differs } = rateDifference({
      first: { successes: 48, trials: 80 },
      second: { successes: 56, trials: 70 },
    });
    expect(difference).toBeCloseTo(0.2, 12);
    expect(interval[0]).toBeCloseTo(0.0524, 4);
    expect(interval[1]).toBeCloseTo(0.3339, 4);
    expect(differs).toBe(true);
  });

  it('keeps width where both rates are 0', () => {
    const { interval, differs } = rateDifference({ first: { successes: 0, trials: 10 }, second: { successes: 0, trials: 20 } });
    // Method 10 of 0/10 and 0/20 in the same table: -0.1611 with the larger group second as here, 0.2775 mirrored.
    expect(interval[0]).toBeCloseTo(-0.2775, 4);
    expect(interval[1]).toBeCloseTo(0.1611, 4);
    expect(differs).toBe(false);
  });

  it('holds the estimate, lies in [-1, 1], and turns with the order', () => {
    const counts = fc
      .integer({ min: 1, max: 200 })
      .chain((trials) => fc.record({ trials: fc.constant(trials), successes: fc.integer({ min: 0, max: trials }) }));
    fc.assert(
      fc.property(counts, counts, (first, second) => {
        const there = rateDifference({ first, second });
        const back = rateDifference({ first: second, second: first });
        expect(there.interval[0]).toBeLessThanOrEqual(there.difference + 1e-12);
        expect(there.interval[1]).toBeGreaterThanOrEqual(there.difference - 1e-12);
        expect(there.interval[0]).toBeGreaterThanOrEqual(-1 - 1e-9);
        expect(there.interval[1]).toBeLessThanOrEqual(1 + 1e-9);
        expect(back.interval[0]).toBeCloseTo(-there.interval[1], 12);
      }),
    );
  });

  it('refuses rates without trials', () => {
    expect(() => rateDifference({ first: { successes: 0, trials: 0 }, second: { successes: 0, trials: 1 } })).toThrow(/trial/);
  });
});
