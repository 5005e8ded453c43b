import type { Loss, LossInputs } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dppoBinaryTv, importanceSampling } from '../src/index.js';

function fromProbabilities(options: { p: number[]; q: number[]; advantages: number[] }): LossInputs {
  return {
    logprobs: options.p.map(Math.log),
    rolloutLogprobs: options.q.map(Math.log),
    advantages: options.advantages,
    mask: options.p.map(() => 1),
  };
}

/** Written from the formula alone: sum over kept tokens of advantage times ratio, over the count of trained tokens. */
function transcription(inputs: LossInputs, low: number, high: number): { loss: number; gradient: number[] } {
  const trainable = [...inputs.mask].filter((m) => m === 1).length;
  const contributions = [...inputs.logprobs].map((lp, t) => {
    if (inputs.mask[t] !== 1) return 0;
    const a = inputs.advantages[t] ?? 0;
    const p = Math.E ** lp;
    const q = Math.E ** (inputs.rolloutLogprobs[t] ?? 0);
    const outside = (a > 0 && p - q > high) || (a <= 0 && p - q < -low);
    return outside ? 0 : (a * p) / q / trainable;
  });
  return { loss: -contributions.reduce((x, y) => x + y, 0), gradient: contributions.map((c) => -c) };
}

function finiteDifference(loss: Loss, inputs: LossInputs, t: number): number {
  const step = 1e-5;
  const at = (delta: number) =>
    loss({ ...inputs, logprobs: [...inputs.logprobs].map((value, i) => (i === t ? value + delta : value)) }).loss;
  return (at(step) - at(-step)) / (2 * step);
}

const token = fc.record({
  logprob: fc.oneof(fc.double({ min: -30, max: 0, noNaN: true }), fc.double({ min: -1e-3, max: 0, noNaN: true })),
  rolloutLogprob: fc.oneof(fc.double({ min: -30, max: 0, noNaN: true }), fc.double({ min: -1e-3, max: 0, noNaN: true })),
  advantage: fc.oneof(fc.double({ min: -10, max: 10, noNaN: true }), fc.constantFrom(0, 1, -1)),
  trained: fc.boolean(),
});
const inputs = fc
  .array(token, { minLength: 1, maxLength: 12 })
  .filter((tokens) => tokens.some(({ trained }) => trained))
  .map(
    (tokens): LossInputs => ({
      logprobs: tokens.map(({ logprob }) => logprob),
      rolloutLogprobs: tokens.map(({ rolloutLogprob }) => rolloutLogprob),
      advantages: tokens.map(({ advantage }) => advantage),
      mask: tokens.map(({ trained }) => (trained ? 1 : 0)),
    }),
  );

/** A finite difference across the mask's edge or the cap's kink compares two formulas, so those tokens are left out. */
function isSmooth(given: LossInputs, t: number): boolean {
  const p = Math.exp(given.logprobs[t] ?? 0);
  const q = Math.exp(given.rolloutLogprobs[t] ?? 0);
  return Math.abs(Math.abs(p - q) - 0.2) > 1e-4;
}

describe('dppoBinaryTv', () => {
  test('masks the published vector as published', () => {
    const vector = fromProbabilities({ q: [0.1, 0.4, 0.5, 0.7], p: [0.35, 0.1, 0.9, 0.2], advantages: [1, -1, 1, -1] });
    const { gradient, metrics, loss } = dppoBinaryTv({ deltaLow: 0.2, deltaHigh: 0.28 })(vector);
    expect([...gradient].map((value) => value === 0)).toEqual([false, true, true, true]);
    expect(metrics.maskFraction).toBe(0.75);
    expect(loss).toBeCloseTo(-3.5 / 4, 12);
    expect(gradient[0]).toBeCloseTo(-3.5 / 4, 12);
  });

  test.each([
    { q: 0.5, p: 0.8, advantage: 1, masked: true },
    { q: 0.5, p: 0.6, advantage: 1, masked: false },
    { q: 0.5, p: 0.2, advantage: -1, masked: true },
    { q: 0.5, p: 0.4, advantage: -1, masked: false },
    { q: 0.5, p: 0.2, advantage: 1, masked: false },
    { q: 0.5, p: 0.8, advantage: -1, masked: false },
    { q: 0.001, p: 0.03, advantage: 1, masked: false },
    { q: 0.001, p: 0.05, advantage: 1, masked: false },
    { q: 0.01, p: 0.25, advantage: 1, masked: true },
    { q: 0.9, p: 0.6, advantage: -1, masked: true },
    { q: 0.9, p: 0.6, advantage: 0, masked: true },
  ])('q $q, p $p, advantage $advantage: masked $masked', ({ q, p, advantage, masked }) => {
    const { gradient, metrics } = dppoBinaryTv()(fromProbabilities({ q: [q], p: [p], advantages: [advantage] }));
    expect(metrics.maskFraction).toBe(masked ? 1 : 0);
    if (masked) expect(gradient[0] === 0).toBe(true);
    else expect(gradient[0]).toBeCloseTo((-advantage * p) / q, 9);
  });

  test('keeps masked tokens in the denominator', () => {
    const { loss } = dppoBinaryTv()(fromProbabilities({ q: [0.5, 0.5], p: [0.5, 0.9], advantages: [1, 1] }));
    expect(loss).toBeCloseTo(-0.5, 12);
  });

  test('gives untrained tokens a gradient of exactly zero and leaves them out of the denominator', () => {
    const given = { logprobs: [-1, -1], rolloutLogprobs: [-1, 0], advantages: [2, 5], mask: [1, 0] };
    const { loss, gradient } = dppoBinaryTv()(given);
    expect(loss).toBe(-2);
    expect([...gradient]).toEqual([-2, 0]);
  });

  test('reports ratio, probability difference and the k3 divergence', () => {
    const { metrics } = dppoBinaryTv()(fromProbabilities({ q: [0.5, 0.2], p: [0.25, 0.4], advantages: [1, -1] }));
    expect(metrics.ratioMean).toBeCloseTo(1.25, 12);
    expect(metrics.ratioMax).toBeCloseTo(2, 12);
    expect(metrics.probabilityDifferenceMean).toBeCloseTo(0.225, 12);
    expect(metrics.probabilityDifferenceMax).toBeCloseTo(0.25, 12);
    expect(metrics.approxKl).toBeCloseTo((0.5 - 1 - Math.log(0.5) + (2 - 1 - Math.log(2))) / 2, 12);
  });

  test('agrees with an independent transcription on any inputs', () => {
    fc.assert(
      fc.property(
        inputs,
        fc.double({ min: 0.01, max: 0.6, noNaN: true }),
        fc.double({ min: 0.01, max: 0.6, noNaN: true }),
        (given, low, high) => {
          const expected = transcription(given, low, high);
          const actual = dppoBinaryTv({ deltaLow: low, deltaHigh: high })(given);
          const scale = Math.max(1, Math.abs(expected.loss), ...expected.gradient.map(Math.abs));
          expect(Math.abs(actual.loss - expected.loss) / scale).toBeLessThan(1e-9);
          for (const [t, value] of expected.gradient.entries())
            expect(Math.abs((actual.gradient[t] ?? Number.NaN) - value) / scale).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    ['without a cap', dppoBinaryTv()],
    ['with a cap of 5', dppoBinaryTv({ ratioCap: 5 })],
    ['summed', dppoBinaryTv({ aggregation: 'sum' })],
    ['importance sampling', importanceSampling()],
  ] as const)('its gradient is the finite difference of its value, %s', (_name, loss) => {
    fc.assert(
      fc.property(inputs, (given) => {
        const { gradient } = loss(given);
        for (let t = 0; t < given.mask.length; t += 1) {
          if (!isSmooth(given, t)) continue;
          // One token at a time, so that a huge ratio elsewhere does not swallow this one's digits.
          const alone = { ...given, advantages: [...given.advantages].map((advantage, i) => (i === t ? advantage : 0)) };
          const slope = gradient[t] ?? Number.NaN;
          expect(Math.abs(finiteDifference(loss, alone, t) - slope)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(slope)));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a ratio cap bounds the weight of a token and nothing else', () => {
    const given = fromProbabilities({ q: [0.001, 0.5], p: [0.05, 0.4], advantages: [1, 1] });
    const capped = dppoBinaryTv({ ratioCap: 5 })(given);
    expect(capped.gradient[0]).toBeCloseTo(-5 / 2, 12);
    expect(capped.gradient[1]).toBeCloseTo(-0.8 / 2, 12);
  });

  test.each([
    ['unequal lengths', { logprobs: [-1], rolloutLogprobs: [-1, -1], advantages: [1], mask: [1] }],
    ['no trained token', { logprobs: [-1], rolloutLogprobs: [-1], advantages: [1], mask: [0] }],
    ['a fractional mask', { logprobs: [-1], rolloutLogprobs: [-1], advantages: [1], mask: [0.5] }],
    ['a log-probability that is no number', { logprobs: [Number.NaN], rolloutLogprobs: [-1], advantages: [1], mask: [1] }],
    ['an impossible rollout token', { logprobs: [-1], rolloutLogprobs: [Number.NEGATIVE_INFINITY], advantages: [1], mask: [1] }],
  ])('refuses %s', (_name, given) => {
    expect(() => dppoBinaryTv()(given)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});

test('importance sampling is what DPPO is when nothing is masked', () => {
  const given = fromProbabilities({ q: [0.5, 0.3], p: [0.45, 0.35], advantages: [1, -2] });
  expect(importanceSampling()(given).loss).toBe(dppoBinaryTv()(given).loss);
  expect(importanceSampling()(given).gradient).toEqual(dppoBinaryTv()(given).gradient);
});
