import { expect, test } from 'vitest';
import { betaPrior, iterationReport, seededRandom } from '../../src/index.js';
import { bootstrapInterval } from '../../src/report/bootstrap-interval.js';
import { fixedEightAcceptance } from '../../src/report/fixed-eight.js';
import { shareOf } from '../../src/report/share-of.js';
import { admit, calibrated } from '../support/report-events.js';

test('eight fixed rollouts accept a task of which nothing is known with the beta-binomial probability', () => {
  // (56 (.4)_3 (.4)_5 + 70 (.4)_4^2 + 56 (.4)_5 (.4)_3) / (.8)_8 = (2 x 1513.27604 + 1461.68674) / 22624.38937
  expect(fixedEightAcceptance({ successes: 0, trials: 0 })).toBeCloseTo((2 * 1513.27604 + 1461.68674) / 22624.38937, 6);
});

test('agrees with an integral over the posterior where that is smooth', () => {
  for (const [successes, trials] of [
    [4, 8],
    [2, 6],
    [9, 12],
  ] as const) {
    const { rates, weights } = betaPrior({ alpha: 0.4 + successes, beta: 0.4 + trials - successes, points: 4000 });
    const choose = [1, 8, 28, 56, 70, 56];
    const accepts = (rate: number) => [3, 4, 5].reduce((sum, k) => sum + (choose[k] ?? 0) * rate ** k * (1 - rate) ** (8 - k), 0);
    const integral = rates.reduce((sum, rate, index) => sum + (weights[index] ?? 0) * accepts(rate), 0);
    expect(fixedEightAcceptance({ successes, trials })).toBeCloseTo(integral, 5);
  }
});

test('is alike for solved and failed', () => {
  expect(fixedEightAcceptance({ successes: 1, trials: 7 })).toBeCloseTo(fixedEightAcceptance({ successes: 6, trials: 7 }), 12);
});

test('a Wilson interval is the published one', () => {
  // Newcombe (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29
  for (const [successes, trials, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    const interval = shareOf({ successes, trials })?.interval;
    expect(interval?.[0]).toBeCloseTo(low, 4);
    expect(interval?.[1]).toBeCloseTo(high, 4);
  }
});

test('the bootstrap of a mean is near its normal interval, the same for a seed, and null for one item', () => {
  const random = seededRandom('items');
  const items = Array.from({ length: 400 }, () => random());
  const statistic = (drawn: readonly number[]) => drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
  const interval = bootstrapInterval({ items, statistic, seed: 1 });
  const reach = 1.96 * Math.sqrt(1 / 12 / 400);
  expect(interval?.[0]).toBeCloseTo(statistic(items) - reach, 2);
  expect(interval?.[1]).toBeCloseTo(statistic(items) + reach, 2);
  expect(bootstrapInterval({ items, statistic, seed: 1 })).toEqual(interval);
  expect(bootstrapInterval({ items, statistic, seed: 2 })).not.toEqual(interval);
  expect(bootstrapInterval({ items: [1], statistic, seed: 1 })).toBeNull();
});

test('the saving of candidates that are all alike has an interval without width', () => {
  const ids = Array.from({ length: 6 }, (_, index) => `t${index}`);
  const { saving } = iterationReport({ events: ids.flatMap((id) => [calibrated(id, [2, 4]), admit(id)]) }).rollouts;
  // 4 rollouts an admitted task against 8 / .4695988
  expect(saving?.share).toBeCloseTo(1 - (4 * 0.469598782281424) / 8, 10);
  expect(saving?.interval?.[0]).toBeCloseTo(saving?.share ?? 0, 10);
  expect(saving?.interval?.[1]).toBeCloseTo(saving?.share ?? 0, 10);
});

test('the saving has no interval where many resamples admit nothing', () => {
  const events = [calibrated('a', [2, 4]), calibrated('b', [0, 4], { verdict: 'too-hard' }), admit('a')];
  const { saving } = iterationReport({ events }).rollouts;
  expect(saving?.share).toBeLessThan(1);
  expect(saving?.interval).toBeNull();
});
