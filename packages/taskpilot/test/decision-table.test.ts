import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixedRule } from '../src/calibrate/decision-rule.js';
import { decisionTable } from '../src/calibrate/decision-table.js';
import { evaluateRule } from '../src/calibrate/evaluate-rule.js';
import { betaPrior, gridPrior } from '../src/calibrate/grid-prior.js';
import { posterior } from '../src/calibrate/posterior.js';

// taskpilot.md section 5, prior U, band [.3, .7]
test.each([
  ['DP table mu=.75 lambda=.01 n<=12', evaluateRule({ rule: decisionTable() }), [5.96, 0.225, 0.703, 0.67]],
  ['DP, looks only at even n', evaluateRule({ rule: decisionTable({ wave: 2 }), wave: 2 }), [5.85, 0.23, 0.692, 0.68]],
  ['fixed n=8, k 3..5', evaluateRule({ rule: fixedRule({ trials: 8, accept: [3, 5] }) }), [8, 0.207, 0.694, 0.61]],
  ['fixed n=4, k=2', evaluateRule({ rule: fixedRule({ trials: 4, accept: [2, 2] }) }), [4, 0.128, 0.615, 0.34]],
] as const)('reproduces the published lattice numbers of %s', (_, quality, [trials, accept, precision, recall]) => {
  expect(Math.abs(quality.expectedTrials - trials)).toBeLessThan(0.005);
  expect(Math.abs(quality.acceptRate - accept)).toBeLessThan(0.005);
  expect(Math.abs(quality.precision - precision)).toBeLessThan(0.005);
  expect(Math.abs(quality.recall - recall)).toBeLessThan(0.005);
});

test('the default table is the one in the reference', () => {
  const rule = decisionTable();
  const accepted = new Map([
    [6, [3, 3]],
    [7, [3, 4]],
    [8, [4, 4]],
    [9, [4, 5]],
    [10, [4, 6]],
    [11, [4, 7]],
    [12, [4, 8]],
  ]);
  const tooHard = (k: number, n: number) => (k === 0 && n >= 4) || (k <= 1 && n >= 8) || (k <= 2 && n >= 11) || (k <= 3 && n === 12);
  for (let n = 0; n <= 12; n++) {
    for (let k = 0; k <= n; k++) {
      const [low = 99, high = -1] = accepted.get(n) ?? [];
      const expected =
        k >= low && k <= high
          ? 'in-band'
          : tooHard(k, n)
            ? 'too-hard'
            : tooHard(n - k, n) || (n === 11 && k === 9)
              ? 'too-easy'
              : 'continue';
      expect([k, n, rule.decide({ successes: k, trials: n })]).toEqual([k, n, expected]);
    }
  }
});

test('the table saves a quarter or more of the rollouts per accepted task against eight fixed ones, at no less precision', () => {
  const cost = (quality: { expectedTrials: number; acceptRate: number }) => (quality.expectedTrials + 0.25) / quality.acceptRate;
  const fixed = evaluateRule({ rule: fixedRule({ trials: 8, accept: [3, 5] }) });
  const table = evaluateRule({ rule: decisionTable() });
  expect(1 - cost(table) / cost(fixed)).toBeGreaterThan(0.3);
  expect(table.precision).toBeGreaterThan(fixed.precision);
});

const uniform = betaPrior({ alpha: 1, beta: 1 });

test('the posterior of a uniform prior agrees with the Beta distribution in closed form', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.nat({ max: 12 }), (trials, draw) => {
      const successes = draw % (trials + 1);
      const { mean, interval } = posterior({ successes, trials, prior: uniform });
      expect(mean).toBeCloseTo((successes + 1) / (trials + 2), 4);
      expect(interval[0]).toBeLessThanOrEqual(mean);
      expect(interval[1]).toBeGreaterThanOrEqual(mean);
    }),
  );
});

test('the posterior of two equally likely rates follows Bayes by hand', () => {
  // .2*.2*.8*3 = .096 against .6*.6*.4*3 = .432
  const prior = gridPrior({ rates: [0.2, 0.6], weights: [1, 1] });
  const { mean, probabilityInBand } = posterior({ successes: 2, trials: 3, prior });
  expect(probabilityInBand).toBeCloseTo(0.432 / 0.528, 12);
  expect(mean).toBeCloseTo((0.2 * 0.096 + 0.6 * 0.432) / 0.528, 12);
});

test('the table does not hang on the grid', () => {
  const angles = Array.from({ length: 500 }, (_, index) => ((index + 0.5) / 500) * (Math.PI / 2));
  const weights = angles.map((angle) => (Math.sin(angle) * Math.cos(angle)) ** -0.2);
  const fine = decisionTable({ prior: gridPrior({ rates: angles.map((angle) => Math.sin(angle) ** 2), weights }) });
  const shipped = decisionTable();
  for (let trials = 0; trials <= 12; trials++) {
    for (let successes = 0; successes <= trials; successes++) {
      expect(fine.decide({ successes, trials })).toBe(shipped.decide({ successes, trials }));
    }
  }
});

test('the prior puts the published share into the band', () => {
  expect(posterior({ successes: 0, trials: 0 }).probabilityInBand).toBeCloseTo(0.235, 2);
  expect(betaPrior().weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
});

test('refuses impossible settings and states', () => {
  expect(() => decisionTable({ maxTrials: 0 })).toThrowError(expect.objectContaining({ code: 'invalid-config' }));
  expect(() => decisionTable().decide({ successes: 3, trials: 2 })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
  expect(() => posterior({ successes: 3, trials: 2 })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
  expect(() => gridPrior({ rates: [0.5], weights: [0] })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});
