import type { Loss, LossInputs } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Aggregation, cispo, dppoBinaryKl, dppoBinaryTv, drpo, gspo, importanceSampling, ppoClip } from '../src/index.js';
import { centralDifference, type DrawnToken, lossInputs } from './loss-inputs.js';

const probabilities = ({ logprob, rolloutLogprob }: DrawnToken) => ({ p: Math.exp(logprob), q: Math.exp(rolloutLogprob) });
const differs = (left: number, right: number, by: number) => Math.abs(left - right) > by;
const ratioAwayFrom =
  (...bounds: number[]) =>
  (token: DrawnToken) =>
    bounds.every((bound) => differs(token.logprob - token.rolloutLogprob, Math.log(bound), 1e-4));
const anywhere = () => true;

function binaryKl(token: DrawnToken): number {
  const { p, q } = probabilities(token);
  return q * (token.rolloutLogprob - token.logprob) + (1 - q) * Math.log((1 - q + 1e-8) / (1 - p + 1e-8));
}
/** A step of 1e-5 moves kl by more where p is close to 1, so the distance is measured at both ends of the step. */
const klAwayFrom = (bound: number) => (token: DrawnToken) =>
  binaryKl({ ...token, logprob: token.logprob - 2e-5 }) > bound ===
    binaryKl({ ...token, logprob: Math.min(0, token.logprob + 2e-5) }) > bound && differs(token.logprob, token.rolloutLogprob, 1e-4);
const tvAwayFrom = (bound: number) => (token: DrawnToken) => {
  const { p, q } = probabilities(token);
  return differs(Math.abs(p - q), bound, 1e-4);
};

const fixed = { kind: 'length-normalised', length: 7 } as const;
const cases: [string, Loss, (token: DrawnToken) => boolean][] = [
  ['Binary-TV', dppoBinaryTv(), tvAwayFrom(0.2)],
  ['Binary-TV with a cap', dppoBinaryTv({ ratioCap: 5, deltaHigh: 0.4, deltaLow: 0.4 }), tvAwayFrom(0.4)],
  ['Binary-KL', dppoBinaryKl(), klAwayFrom(0.05)],
  ['Binary-KL with a cap', dppoBinaryKl({ ratioCap: 5, deltaLow: 0.3, deltaHigh: 0.3 }), klAwayFrom(0.3)],
  ['PPO', ppoClip(), ratioAwayFrom(0.8, 1.2)],
  ['importance sampling', importanceSampling(), anywhere],
  ['importance sampling with a cap', importanceSampling({ ratioCap: 2 }), anywhere],
  ['DRPO', drpo(), anywhere],
  ['DRPO with a strong penalty', drpo({ epsilon: 0.2 }), anywhere],
  ...(['sum', 'token-mean', 'trajectory-mean', fixed] satisfies Aggregation[]).flatMap((aggregation): typeof cases => [
    [`Binary-TV, ${JSON.stringify(aggregation)}`, dppoBinaryTv({ aggregation }), tvAwayFrom(0.2)],
    [`DRPO, ${JSON.stringify(aggregation)}`, drpo({ aggregation }), anywhere],
  ]),
];

/** One token has an advantage, so that a huge ratio elsewhere does not swallow its digits. */
function alone(inputs: LossInputs, keep: (t: number) => boolean): LossInputs {
  return { ...inputs, advantages: [...inputs.advantages].map((advantage, t) => (keep(t) ? advantage : 0)) };
}

function expectSlopes(options: {
  loss: Loss;
  inputs: LossInputs;
  holdRatio?: boolean;
  belongs: (t: number, other: number) => boolean;
}): void {
  const { loss, inputs, holdRatio = false, belongs } = options;
  const { gradient } = loss(inputs);
  for (const t of inputs.mask.keys()) {
    const slope = gradient[t] ?? Number.NaN;
    const difference = centralDifference({ loss, inputs: alone(inputs, (other) => belongs(t, other)), t, holdRatio });
    const error = Math.abs(difference - slope) / Math.max(1, Math.abs(slope));
    if (!(error <= 1e-6)) expect.fail(`token ${t}: gradient ${slope}, central difference ${difference}`);
  }
}

describe('the gradient is the central difference of the value, over random and extreme inputs', () => {
  test.each(cases)('%s', (_name, loss, accept) => {
    fc.assert(
      fc.property(lossInputs(accept), (inputs) => expectSlopes({ loss, inputs, belongs: (t, other) => t === other })),
      { numRuns: 200 },
    );
  });

  test.each([
    ['as in the paper', gspo({ clipLow: 0.2, clipHigh: 0.3 })],
    ['token mean', gspo({ clipLow: 0.2, clipHigh: 0.3, aggregation: 'token-mean' })],
  ])('GSPO, %s, through the ratio of the whole trajectory', (_name, loss) => {
    const isSmooth = (inputs: LossInputs) => {
      const sums = new Map<number, { logRatio: number; count: number }>();
      for (const [t, trained] of inputs.mask.entries()) {
        if (trained === 0) continue;
        const sum = sums.get(inputs.trajectories?.[t] ?? 0) ?? { logRatio: 0, count: 0 };
        const logRatio = sum.logRatio + (inputs.logprobs[t] ?? 0) - (inputs.rolloutLogprobs[t] ?? 0);
        sums.set(inputs.trajectories?.[t] ?? 0, { logRatio, count: sum.count + 1 });
      }
      return [...sums.values()].every(({ logRatio, count }) =>
        [0.8, 1.3].every((bound) => differs(logRatio / count, Math.log(bound), 1e-4)),
      );
    };
    // One sign within a trajectory: a rollout has one advantage, and opposite ones would cancel digits.
    const signed = lossInputs()
      .map((inputs) => ({
        ...inputs,
        advantages: [...inputs.advantages].map((advantage, t) => ((inputs.trajectories?.[t] ?? 0) > 0 ? 1 : -1) * Math.abs(advantage)),
      }))
      .filter(isSmooth);
    fc.assert(
      fc.property(signed, (inputs) =>
        expectSlopes({ loss, inputs, belongs: (t, other) => inputs.trajectories?.[t] === inputs.trajectories?.[other] }),
      ),
      { numRuns: 200 },
    );
  });

  test.each([
    ['with its defaults', cispo()],
    ['bounded on both sides', cispo({ clipLow: 0.8, clipHigh: 1.2, aggregation: 'sum' })],
  ])('CISPO, %s, while the weight is held', (_name, loss) => {
    fc.assert(
      fc.property(
        // The clip's edge is no kink here, but rounding may move a ratio over it within a step.
        lossInputs(ratioAwayFrom(0.8, 1.2, 4)),
        (inputs) => expectSlopes({ loss, inputs, holdRatio: true, belongs: (t, other) => t === other }),
      ),
      { numRuns: 200 },
    );
  });
});

test('no loss gives an untrained token a gradient, and each gives finite numbers at the ends of the range', () => {
  const losses = [...cases.map(([, loss]) => loss), gspo(), cispo()];
  fc.assert(
    fc.property(lossInputs(), (inputs) => {
      for (const loss of losses) {
        const { gradient, loss: value, metrics } = loss(inputs);
        expect([...inputs.mask].every((trained, t) => trained === 1 || gradient[t] === 0)).toBe(true);
        expect([value, ...gradient, ...Object.values(metrics)].every(Number.isFinite)).toBe(true);
      }
    }),
  );
});
