import { expect, it } from 'vitest';
import { runWay } from '../benchmarks/calibration/run-way.js';
import { type WayName, ways } from '../benchmarks/calibration/ways.js';

it('each part of the calibrator costs fewer rollouts than eight fixed ones, in the order of the study', async () => {
  const costOf = async (name: WayName) => {
    const runs = await Promise.all([0, 1].map((seed) => runWay({ way: ways[name], seed, iterations: 3, count: 60, band: [0.3, 0.7] })));
    expect(runs.every(({ accepted }) => accepted === 180)).toBe(true);
    expect(Math.min(...runs.map(({ signal }) => signal))).toBeGreaterThan(0.8);
    return runs.reduce((sum, { rolloutsPerAccepted }) => sum + rolloutsPerAccepted, 0) / 2;
  };
  const [fixed, table, predictor, bank] = [await costOf('fixed'), await costOf('table'), await costOf('predictor'), await costOf('bank')];
  expect(table).toBeLessThan(0.75 * fixed);
  expect(predictor).toBeLessThan(0.6 * fixed);
  expect(bank).toBeLessThan(0.4 * fixed);
  expect(bank).toBeLessThan(predictor);
});
