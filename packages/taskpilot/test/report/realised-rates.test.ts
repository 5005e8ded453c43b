import { expect, test } from 'vitest';
import { posterior, type ReportedEvent, realisedRates, seededRandom } from '../../src/index.js';
import { admit, calibrated, failed, rollout, solved, unscored } from '../support/report-events.js';

const train = (key: string, outcome: typeof solved, taskId: string, weightsVersion = 'w0', iteration?: number) =>
  rollout(key, outcome, { purpose: 'train', taskId, weightsVersion, iteration });

test('compares the posterior mean with the first training group, task by task and over all', () => {
  const { tasks, overall } = realisedRates({
    events: [
      calibrated('a', [4, 8]),
      calibrated('b', [2, 4]),
      calibrated('unmeasured', [2, 4]),
      admit('a'),
      admit('b'),
      admit('unmeasured'),
      rollout('c1', solved, { taskId: 'a' }),
      train('1', solved, 'a'),
      train('2', failed, 'a'),
      train('3', failed, 'a'),
      train('4', failed, 'a'),
      train('5', unscored, 'a'),
      train('6', solved, 'a', 'w1'),
      train('7', solved, 'b', 'w1'),
      train('8', failed, 'b', 'w1'),
      // the same rollout journaled again, and a task that was not admitted
      train('8', failed, 'b', 'w1'),
      train('9', solved, 'z'),
    ],
  });
  expect(tasks).toEqual([
    {
      iteration: null,
      taskId: 'a',
      predicted: { mean: 0.5, interval: [0.1, 0.9] },
      realised: { successes: 1, trials: 4, rate: 0.25, interval: [expect.closeTo(0.04559, 4), expect.closeTo(0.69936, 4)] },
    },
    {
      iteration: null,
      taskId: 'b',
      predicted: { mean: 0.5, interval: [0.1, 0.9] },
      realised: { successes: 1, trials: 2, rate: 0.5, interval: expect.anything() },
    },
  ]);
  expect(overall).toMatchObject({ tasks: 2, meanPredicted: 0.5, meanRealised: 0.375, difference: -0.125 });
  // resamples of two: both a, one of each, or both b
  expect(overall?.interval).toEqual([-0.25, 0]);
  expect(overall?.covers).toBe(true);
});

test('compares a task in each iteration that admitted it', () => {
  const { tasks } = realisedRates({
    events: [0, 1].flatMap((iteration): ReportedEvent[] => [
      calibrated('a', [iteration + 1, 4], { iteration }),
      admit('a', iteration),
      train(`${iteration}`, iteration === 0 ? solved : failed, 'a', `w${iteration}`, iteration),
    ]),
  });
  expect(tasks.map(({ iteration, predicted, realised }) => [iteration, predicted.mean.toFixed(3), realised.rate])).toEqual([
    [0, '0.292', 1],
    [1, '0.500', 0],
  ]);
});

test('says nothing over all before a training rollout is scored, and gives one task no interval', () => {
  expect(realisedRates({ events: [calibrated('a', [2, 4]), admit('a')] })).toEqual({ tasks: [], overall: null });
  const { overall } = realisedRates({ events: [calibrated('a', [2, 4]), admit('a'), train('1', solved, 'a')] });
  expect(overall).toMatchObject({ difference: 0.5, interval: null, covers: null });
});

/** Tasks with rates of Beta(1, 1), measured eight times under that prior, and a group of `groupSize` of each whose logit moved by `gain`. */
function simulate(options: { seed: string; gain: number }): readonly ReportedEvent[] {
  const random = seededRandom(options.seed);
  const flat = { rates: Array.from({ length: 100 }, (_, index) => (index + 0.5) / 100), weights: Array(100).fill(0.01) };
  return Array.from({ length: 60 }, (_, number) => number).flatMap((number): ReportedEvent[] => {
    const rate = random();
    const successes = Array.from({ length: 8 }, random).filter((value) => value < rate).length;
    const { mean, interval } = posterior({ successes, trials: 8, prior: flat });
    const later = 1 / (1 + ((1 - rate) / rate) * Math.exp(-options.gain));
    const taskId = `t${number}`;
    return [
      calibrated(taskId, [successes, 8], { posteriorMean: mean, posteriorInterval: [interval[0], interval[1]] }),
      admit(taskId),
      ...Array.from({ length: 8 }, (_, sample) => train(`${number} ${sample}`, random() < later ? solved : failed, taskId)),
    ];
  });
}

test('the interval covers 0 for a calibrator that keeps its word, and not once the policy has changed', () => {
  const covers = (gain: number) =>
    Array.from({ length: 40 }, (_, seed) => realisedRates({ events: simulate({ seed: `${seed}`, gain }), resamples: 400 }).overall).filter(
      (overall) => overall?.covers === true,
    ).length;
  expect(covers(0)).toBeGreaterThanOrEqual(34);
  expect(covers(1)).toBeLessThanOrEqual(4);
});
