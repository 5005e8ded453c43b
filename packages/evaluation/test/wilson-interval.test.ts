import { rateSchema } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rate, wilsonInterval } from '../src/index.js';
import { normalQuantile } from '../src/normal-quantile.js';

const counts = fc
  .integer({ min: 1, max: 100_000 })
  .chain((trials) => fc.record({ trials: fc.constant(trials), successes: fc.integer({ min: 0, max: trials }) }));

describe('wilsonInterval', () => {
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('gives the published interval for %i of %i', (successes, trials, low, high) => {
    const interval = wilsonInterval({ successes, trials });
    expect(interval[0]).toBeCloseTo(low, 4);
    expect(interval[1]).toBeCloseTo(high, 4);
  });

  test('lies in [0, 1], contains the estimate and always has width', () => {
    fc.assert(
      fc.property(counts, fc.constantFrom(0.5, 0.9, 0.95, 0.99), ({ successes, trials }, confidence) => {
        const [low, high] = wilsonInterval({ successes, trials, confidence });
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(successes / trials);
        expect(high).toBeGreaterThanOrEqual(successes / trials);
        expect(high - low).toBeGreaterThan(0);
      }),
    );
  });

  test('its ends are where the score test is exactly at the confidence point', () => {
    fc.assert(
      fc.property(counts, ({ successes, trials }) => {
        for (const end of wilsonInterval({ successes, trials })) {
          if (end === 0 || end === 1) continue;
          const score = (successes / trials - end) / Math.sqrt((end * (1 - end)) / trials);
          expect(Math.abs(score)).toBeCloseTo(1.959964, 4);
        }
      }),
    );
  });

  test.each([
    { successes: 0, trials: 0 },
    { successes: 3, trials: 2 },
    { successes: 0.5, trials: 2 },
    { successes: 1, trials: 2, confidence: 95 },
  ])('refuses %j', (options) => {
    expect(() => wilsonInterval(options)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});

test('a rate has the form that events carry', () => {
  expect(rateSchema.parse(rate({ successes: 7, trials: 20 }))).toMatchObject({ successes: 7, trials: 20, rate: 0.35 });
});

test.each([
  [0.5, 0],
  [0.6, 0.2533471031357998],
  [0.975, 1.9599639845400536],
  [0.995, 2.5758293035489],
  [0.9995, 3.2905267314919255],
  [0.025, -1.9599639845400536],
])('the normal quantile of %d is %d', (probability, expected) => {
  expect(normalQuantile(probability)).toBeCloseTo(expected, 12);
});
