import type { Loss, LossInputs } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { cispo, dppo, dppoBinaryKl, dppoBinaryTv, drpo, gspo, importanceSampling, ppoClip } from '../src/index.js';
import { fromProbabilities } from './loss-inputs.js';

const evaluateOne = (loss: Loss, token: { q: number; p: number; advantage: number }) => {
  const { loss: value, gradient, metrics } = loss(fromProbabilities({ q: [token.q], p: [token.p], advantages: [token.advantage] }));
  return { value, slope: gradient[0] ?? Number.NaN, metrics };
};

describe('dppoBinaryKl', () => {
  test.each([
    // 0.5 ln(0.5/0.8) + 0.5 ln(0.5/0.2) = 0.2231
    { q: 0.5, p: 0.8, advantage: 1, masked: true },
    { q: 0.5, p: 0.8, advantage: -1, masked: false },
    { q: 0.5, p: 0.8, advantage: 0, masked: false },
    // 0.5 ln(0.5/0.6) + 0.5 ln(0.5/0.4) = 0.0204
    { q: 0.5, p: 0.6, advantage: 1, masked: false },
    // 0.9 ln(0.9/0.6) + 0.1 ln(0.1/0.4) = 0.2263
    { q: 0.9, p: 0.6, advantage: -1, masked: true },
    { q: 0.9, p: 0.6, advantage: 1, masked: false },
    // 0.001 ln(0.001/0.05) + 0.999 ln(0.999/0.95) = 0.0463, at a ratio of 50
    { q: 0.001, p: 0.05, advantage: 1, masked: false },
    // 0.01 ln(0.01/0.25) + 0.99 ln(0.99/0.75) = 0.2427
    { q: 0.01, p: 0.25, advantage: 1, masked: true },
  ])('q $q, p $p, advantage $advantage: masked $masked', ({ q, p, advantage, masked }) => {
    const { slope, metrics } = evaluateOne(dppoBinaryKl(), { q, p, advantage });
    expect(metrics.maskFraction).toBe(masked ? 1 : 0);
    expect(slope).toBeCloseTo(masked ? 0 : (-advantage * p) / q, 10);
  });

  test('reports the divergence', () => {
    const { metrics } = dppoBinaryKl()(fromProbabilities({ q: [0.5, 0.5], p: [0.8, 0.5], advantages: [1, 1] }));
    expect(metrics.binaryKlMax).toBeCloseTo(0.5 * Math.log(0.5 / 0.8) + 0.5 * Math.log(0.5 / 0.2), 6);
    expect(metrics.binaryKlMean).toBeCloseTo((metrics.binaryKlMax ?? 0) / 2, 12);
  });

  test('has a threshold for each side', () => {
    const loss = dppoBinaryKl({ deltaLow: 0.3, deltaHigh: 0.2 });
    expect(evaluateOne(loss, { q: 0.5, p: 0.8, advantage: 1 }).metrics.maskFraction).toBe(1);
    expect(evaluateOne(loss, { q: 0.9, p: 0.6, advantage: -1 }).metrics.maskFraction).toBe(0);
  });

  test('a token of probability 1 has a finite divergence, also a rounding above 1', () => {
    const { metrics } = dppoBinaryKl()({ logprobs: [0, 1e-7], rolloutLogprobs: [-2, 0], advantages: [1, 1], mask: [1, 1] });
    expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
    expect(metrics.maskFraction).toBe(0.5);
  });
});

describe('ppoClip', () => {
  test.each([
    { q: 0.4, p: 0.6, advantage: 1, value: -1.2, slope: 0, clipped: 1 },
    { q: 0.4, p: 0.6, advantage: -1, value: 1.5, slope: 1.5, clipped: 0 },
    { q: 0.4, p: 0.2, advantage: -2, value: 1.6, slope: 0, clipped: 1 },
    { q: 0.4, p: 0.2, advantage: 2, value: -1, slope: -1, clipped: 0 },
    { q: 0.4, p: 0.44, advantage: 1, value: -1.1, slope: -1.1, clipped: 0 },
    { q: 0.4, p: 0.6, advantage: 0, value: 0, slope: 0, clipped: 0 },
  ])('q $q, p $p, advantage $advantage', ({ value, slope, clipped, ...token }) => {
    const one = evaluateOne(ppoClip(), token);
    expect(one.value).toBeCloseTo(value, 12);
    expect(one.slope).toBeCloseTo(slope, 12);
    expect(one.metrics.clipFraction).toBe(clipped);
  });

  test('clips a rare token that DPPO keeps', () => {
    const token = { q: 0.001, p: 0.05, advantage: 1 };
    expect(evaluateOne(ppoClip(), token).slope).toBe(0);
    expect(evaluateOne(dppoBinaryTv(), token).slope).toBeCloseTo(-50, 10);
  });
});

describe('cispo', () => {
  test.each([
    // A ratio of 8 weighs 4; the value is -4 ln 0.8.
    { q: 0.1, p: 0.8, advantage: 1, value: 0.892574205, slope: -4, clipped: 1 },
    // A ratio of 0.5 weighs 0.5; the value is 0.5 * 2 * ln 0.4.
    { q: 0.8, p: 0.4, advantage: -2, value: -0.916290732, slope: 1, clipped: 0 },
  ])('q $q, p $p, advantage $advantage', ({ value, slope, clipped, ...token }) => {
    const one = evaluateOne(cispo(), token);
    expect(one.value).toBeCloseTo(value, 8);
    expect(one.slope).toBeCloseTo(slope, 12);
    expect(one.metrics.clipFraction).toBe(clipped);
  });

  test('bounds the weight from below where told', () => {
    expect(evaluateOne(cispo({ clipLow: 0.8 }), { q: 0.8, p: 0.4, advantage: -2 }).slope).toBeCloseTo(1.6, 12);
  });
});

describe('drpo', () => {
  test.each([
    // -1.6 + 0.5 * 0.6^2 / 25; -1.6 + 0.3 * 1.6 / 12.5
    { q: 0.5, p: 0.8, advantage: 1, value: -1.5928, slope: -1.5616 },
    { q: 0.5, p: 0.8, advantage: -1, value: 1.6072, slope: 1.6384 },
    // -0.4 + 0.5 * 0.6^2 / 25; -0.4 - 0.3 * 0.4 / 12.5
    { q: 0.5, p: 0.2, advantage: 1, value: -0.3928, slope: -0.4096 },
  ])('q $q, p $p, advantage $advantage', ({ value, slope, ...token }) => {
    const one = evaluateOne(drpo(), token);
    expect(one.value).toBeCloseTo(value, 12);
    expect(one.slope).toBeCloseTo(slope, 12);
  });

  test('at epsilon 0.2 a token that rose by 0.2 is pushed no further, as by the mask', () => {
    expect(evaluateOne(drpo({ epsilon: 0.2 }), { q: 0.5, p: 0.7, advantage: 1 }).slope).toBeCloseTo(0, 12);
  });
});

describe('gspo', () => {
  test('takes the geometric mean of a trajectory’s ratios, also when its tokens are no neighbours', () => {
    // Ratios 2 and 1/2 make 1 for trajectory 7; trajectory 3 has one ratio of 4.
    const inputs = fromProbabilities({ q: [0.2, 0.1, 0.4], p: [0.4, 0.4, 0.2], advantages: [1, -1, 1], trajectories: [7, 3, 7] });
    const { loss, gradient, metrics } = gspo()(inputs);
    expect(loss).toBeCloseTo((-1 + 4) / 2, 12);
    expect(gradient[0]).toBeCloseTo(-1 / 4, 12);
    expect(gradient[2]).toBeCloseTo(-1 / 4, 12);
    expect(gradient[1]).toBeCloseTo(4 / 2, 12);
    expect(metrics).toMatchObject({ clipFraction: 0, tokens: 3 });
    expect(metrics.sequenceRatioMax).toBeCloseTo(4, 12);
    expect(metrics.sequenceRatioMean).toBeCloseTo(2.5, 12);
  });

  test('a trajectory beyond the bound has the bound’s value and no gradient', () => {
    const inputs = fromProbabilities({ q: [0.5, 0.5], p: [0.501, 0.4995], advantages: [1, 1] });
    const { loss, gradient, metrics } = gspo()(inputs);
    // sqrt(1.002 * 0.999) = 1.000499 > 1.0004
    expect(loss).toBeCloseTo(-1.0004, 12);
    expect([...gradient]).toEqual([0, 0]);
    expect(metrics.clipFraction).toBe(1);
    const falling = gspo()(fromProbabilities({ q: [0.5], p: [0.49], advantages: [-1] }));
    expect(falling.loss).toBeCloseTo(1 - 3e-4, 12);
    expect(falling.gradient[0]).toBe(0);
  });
});

describe('aggregation', () => {
  // One token of trajectory 0, three of trajectory 1 of which one is masked (p - q = 0.5), and one untrained.
  const inputs: LossInputs = {
    ...fromProbabilities({ q: [0.5, 0.4, 0.4, 0.1, 0.5], p: [0.5, 0.4, 0.4, 0.6, 0.5], advantages: [1, 2, 2, 2, 9] }),
    mask: [1, 1, 1, 1, 0],
    trajectories: [0, 1, 1, 1, 1],
  };

  test.each([
    ['sum', -5, [-1, -2, -2, 0, 0]],
    ['token-mean', -5 / 4, [-1 / 4, -2 / 4, -2 / 4, 0, 0]],
    ['trajectory-mean', -(1 + 4 / 3) / 2, [-1 / 2, -2 / 6, -2 / 6, 0, 0]],
    [{ kind: 'length-normalised', length: 10 }, -5 / 20, [-1 / 20, -2 / 20, -2 / 20, 0, 0]],
  ] as const)('%j keeps masked tokens in the denominator', (aggregation, value, gradient) => {
    const output = dppoBinaryTv({ aggregation })(inputs);
    expect(output.loss).toBeCloseTo(value, 12);
    for (const [t, slope] of gradient.entries()) expect(output.gradient[t]).toBeCloseTo(slope, 12);
    expect(output.metrics.maskFraction).toBe(0.25);
  });

  test('without trajectories all tokens are one trajectory’s', () => {
    const { trajectories: _, ...one } = inputs;
    expect(dppoBinaryTv({ aggregation: 'trajectory-mean' })(one).loss).toBeCloseTo(-5 / 4, 12);
  });

  test('refuses a length that is not positive, and trajectories of another length', () => {
    const refuses = (evaluate: () => unknown) => expect(evaluate).toThrow(expect.objectContaining({ code: 'invalid-input' }));
    refuses(() => dppoBinaryTv({ aggregation: { kind: 'length-normalised', length: 0 } })(inputs));
    refuses(() => gspo()({ ...inputs, trajectories: [0] }));
  });
});

describe('options', () => {
  test.each([
    ['a negative threshold', () => dppoBinaryTv({ deltaLow: -0.1 })],
    ['a threshold that is no number', () => dppoBinaryKl({ deltaHigh: Number.NaN })],
    ['a cap below 1', () => importanceSampling({ ratioCap: 0.5 })],
    ['distances given as bounds', () => ppoClip({ clipLow: 0.2, clipHigh: 0.2 })],
    ['bounds that leave out 1', () => cispo({ clipLow: 1.1 })],
    ['a negative distance', () => gspo({ clipHigh: -1e-4 })],
    ['an epsilon of 0', () => drpo({ epsilon: 0 })],
  ])('refuse %s', (_name, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  test('dppo makes the loss of the divergence named', () => {
    const inputs = fromProbabilities({ q: [0.5], p: [0.65], advantages: [1] });
    expect(dppo({ divergence: 'binary-tv', deltaHigh: 0.1 })(inputs)).toEqual(dppoBinaryTv({ deltaHigh: 0.1 })(inputs));
    expect(dppo({ divergence: 'binary-kl', aggregation: 'sum' })(inputs)).toEqual(dppoBinaryKl({ aggregation: 'sum' })(inputs));
  });

  test.each(['top-k-tv', 'top-k-kl'] as const)('dppo refuses %s with the reason', (divergence) => {
    expect(() => dppo({ divergence })).toThrow(
      expect.objectContaining({ code: 'unsupported', message: expect.stringMatching(/K likeliest tokens at every sampled position/) }),
    );
  });
});

describe('engineLoss', () => {
  test.each([
    [dppoBinaryTv({ deltaLow: 0.1 }), { name: 'dppo', config: { delta_low: 0.1, delta_high: 0.2 } }],
    [importanceSampling(), { name: 'importance_sampling', config: {} }],
    [ppoClip({ clipHigh: 1.3 }), { name: 'ppo', config: { clip_low_threshold: 0.8, clip_high_threshold: 1.3 } }],
    [cispo(), { name: 'cispo', config: { clip_low_threshold: 0, clip_high_threshold: 4 } }],
  ])('case %#: names the engine’s loss with all its numbers', (loss, expected) => {
    expect(loss.engineLoss).toEqual(expected);
  });

  test.each([
    ['a capped ratio', dppoBinaryTv({ ratioCap: 5 })],
    ['a truncated importance weight', importanceSampling({ ratioCap: 5 })],
    ['Binary-KL, which engines choose by themselves', dppoBinaryKl()],
    ['GSPO, whose sequences are an engine’s data, not trajectories', gspo()],
    ['DRPO', drpo()],
  ])('is absent for %s', (_name, loss) => {
    expect(loss.engineLoss).toBeUndefined();
  });

  test.each([
    ['dppo', dppoBinaryTv({ aggregation: 'trajectory-mean' })],
    ['ppo', ppoClip({ aggregation: 'trajectory-mean' })],
    ['cispo', cispo({ aggregation: 'trajectory-mean' })],
    ['importance sampling', importanceSampling({ aggregation: 'trajectory-mean' })],
  ])('on-policy, the gradient of %s is the advantage by its weight, negative', (_name, loss) => {
    const q = [0.5, 0.9, 1e-9];
    const { gradient } = loss(fromProbabilities({ q, p: q, advantages: [3, -2, 0], trajectories: [0, 1, 1] }));
    expect([...gradient]).toEqual([-3 / 2, 2 / 4, 0]);
  });
});
