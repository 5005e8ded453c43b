import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passAtK } from '../src/index.js';

test.each([
  [5, 2, 1, 0.4],
  [5, 2, 2, 0.7],
  [5, 2, 4, 1],
  [8, 0, 8, 0],
  [8, 8, 1, 1],
  [10, 3, 5, 1 - 21 / 252],
])('of %i samples with %i passes, pass@%i is %d', (samples, successes, k, expected) => {
  expect(passAtK({ samples, successes, k })).toBeCloseTo(expected, 12);
});

test('is the share of k-subsets with a pass, by counting them', () => {
  const cases = fc
    .integer({ min: 1, max: 10 })
    .chain((samples) => fc.tuple(fc.constant(samples), fc.integer({ min: 0, max: samples }), fc.integer({ min: 1, max: samples })));
  fc.assert(
    fc.property(cases, ([samples, successes, k]) => {
      let subsets = 0;
      let passing = 0;
      for (let subset = 0; subset < 2 ** samples; subset += 1) {
        const members = [...Array(samples).keys()].filter((i) => (subset >> i) & 1);
        if (members.length !== k) continue;
        subsets += 1;
        if (members.some((i) => i < successes)) passing += 1;
      }
      expect(passAtK({ samples, successes, k })).toBeCloseTo(passing / subsets, 12);
    }),
  );
});

test.each([
  { samples: 3, successes: 1, k: 4 },
  { samples: 3, successes: 4, k: 1 },
  { samples: 3, successes: 1, k: 0 },
])('refuses %j', (options) => {
  expect(() => passAtK(options)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
});
