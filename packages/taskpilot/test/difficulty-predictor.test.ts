import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitRidgeLogistic, predictLogit, ridgeObjective } from '../src/calibrate/ridge-logistic.js';
import {
  betaPrior,
  fitDifficulty,
  type Measurement,
  predictedPriors,
  seededRandom,
  strategyPriors,
  type TaskFeatures,
} from '../src/index.js';

test('one weight agrees with the equation that its optimum solves', () => {
  // 8 of 10 with penalty 1: 10 / (1 + exp(-w)) - 8 + w = 0 at w = 0.789445
  const { weights, factor } = fitRidgeLogistic({
    rows: [{ columns: [0], values: [1], offset: 0, successes: 8, trials: 10 }],
    penalties: [1],
  });
  const [weight = 0] = weights;
  expect(10 / (1 + Math.exp(-weight)) - 8 + weight).toBeCloseTo(0, 6);
  const rate = 1 / (1 + Math.exp(-weight));
  expect((factor[0]?.[0] ?? 0) ** 2).toBeCloseTo(1 + 10 * rate * (1 - rate), 3);
});

test('at the fit the objective is flat by finite differences, and its curvature gives the variance of a prediction', () => {
  const row = fc.record({
    first: fc.double({ min: -2, max: 2, noNaN: true }),
    second: fc.double({ min: -2, max: 2, noNaN: true }),
    offset: fc.double({ min: -1, max: 1, noNaN: true }),
    trials: fc.integer({ min: 1, max: 12 }),
    draw: fc.nat(12),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (drawn) => {
      const rows = drawn.map(({ first, second, offset, trials, draw }) => ({
        columns: [0, 1],
        values: [first, second],
        offset,
        trials,
        successes: draw % (trials + 1),
      }));
      const penalties = [1, 0.5];
      const fit = fitRidgeLogistic({ rows, penalties, tolerance: 1e-10 });
      const at = (a: number, b: number) =>
        ridgeObjective({ rows, weights: [(fit.weights[0] ?? 0) + a, (fit.weights[1] ?? 0) + b], penalties });
      const step = 1e-3;
      expect((at(step, 0) - at(-step, 0)) / (2 * step)).toBeCloseTo(0, 3);
      expect((at(0, step) - at(0, -step)) / (2 * step)).toBeCloseTo(0, 3);
      const second = (a: number, b: number) => (at(step * a, step * b) - 2 * at(0, 0) + at(-step * a, -step * b)) / step ** 2;
      const [h11, h22] = [second(1, 0), second(0, 1)];
      const h12 = (second(1, 1) - h11 - h22) / 2;
      const { variance } = predictLogit({ fit, row: { columns: [0], values: [1], offset: 0 } });
      expect(variance / (h22 / (h11 * h22 - h12 ** 2))).toBeCloseTo(1, 2);
    }),
    { numRuns: 50 },
  );
});

const features: TaskFeatures = {
  operator: 'o',
  failureKind: 'assertion',
  edits: 1,
  files: 1,
  changedLines: 1,
  failToPass: 1,
  passToPass: 1,
  hintRung: 0,
  statementCharacters: 1,
  repositoryLines: 1,
  functionLines: 1,
};

/** Tasks of two strategies whose logit is `slope` times a standard normal size, plus noise of standard deviation `noise`. */
function simulate(options: { tasks: number; slope: number; noise: number; seed: number }): Measurement[] {
  const { tasks, slope, noise, seed } = options;
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: tasks }, (_, index) => {
    const size = Math.max(-4, normal());
    const rate = 1 / (1 + Math.exp(-(slope * size + noise * normal())));
    const successes = Array.from({ length: 8 }, () => (random() < rate ? 1 : 0)).reduce<number>((sum, one) => sum + one, 0);
    const measured = { ...features, changedLines: Math.round(Math.expm1(5 + size)) };
    return { taskId: `t${index}`, strategy: `s${index % 2}`, repository: 'r', features: measured, checkpoint: 0, successes, trials: 8 };
  });
}

test('recovers the weight of a size and the spread that the features leave', () => {
  const predictor = fitDifficulty({ measurements: simulate({ tasks: 1500, slope: 1.2, noise: 1, seed: 3 }) });
  const at = (changedLines: number) =>
    predictor.predict({ strategy: 's0', repository: 'r', features: { ...features, changedLines }, checkpoint: 0 }).logit;
  // one standard deviation more: the standard error of the slope is about .05
  expect(Math.abs(at(Math.round(Math.expm1(5.5))) - at(Math.round(Math.expm1(4.5))) - 1.2)).toBeLessThan(0.16);
  expect(Math.abs(predictor.residualSpread - 1)).toBeLessThanOrEqual(0.25);
  expect(predictor.improvement).toBeGreaterThan(0.1);
});

test('an unknown strategy, repository and operator makes the spread wider, not the prediction impossible', () => {
  const predictor = fitDifficulty({ measurements: simulate({ tasks: 300, slope: 1, noise: 1, seed: 4 }) });
  const known = predictor.predict({ strategy: 's0', repository: 'r', features, checkpoint: 0 });
  const unknown = predictor.predict({ strategy: 'new', repository: 'new', checkpoint: 0 });
  expect(Number.isFinite(unknown.logit)).toBe(true);
  expect(known.spread).toBeGreaterThanOrEqual(predictor.residualSpread);
});

test('is used where the features say something, and switched off where they are noise', () => {
  const candidate = { id: 'x', strategy: 's0', repository: 'r', features: { ...features, changedLines: 2000 } };
  const checkpoints = [{ ability: 0, standardError: 0 }];
  for (const [slope, isUsed] of [
    [1.5, true],
    [0, false],
  ] as const) {
    const fallback = strategyPriors();
    const model = predictedPriors({ fallback });
    for (const measurement of simulate({ tasks: 400, slope, noise: 1, seed: 5 })) model.observe(measurement);
    const prior = model.priorOf({ candidate, checkpoints });
    expect(prior === fallback.priorOf({ candidate, checkpoints })).toBe(!isUsed);
    expect((model.predictor()?.improvement ?? 0) >= 0.02).toBe(isUsed);
  }
});

test('is not fitted before fifty measured tasks', () => {
  const model = predictedPriors({ fallback: strategyPriors({ base: betaPrior() }) });
  const measurements = simulate({ tasks: 60, slope: 1, noise: 1, seed: 6 });
  const ask = () =>
    model.priorOf({ candidate: { id: 'x', strategy: 's0', repository: 'r' }, checkpoints: [{ ability: 0, standardError: 0 }] });
  for (const measurement of measurements.slice(0, 49)) model.observe(measurement);
  ask();
  expect(model.predictor()).toBeNull();
  for (const measurement of measurements.slice(49)) model.observe(measurement);
  ask();
  expect(model.predictor()).not.toBeNull();
});
