import type { Loss, LossInputs } from '@tadpole/contracts';
import fc from 'fast-check';

/** Inputs of trained tokens by their probabilities. */
export function fromProbabilities(options: { p: number[]; q: number[]; advantages: number[]; trajectories?: number[] }): LossInputs {
  const { p, q, advantages, trajectories } = options;
  return {
    logprobs: p.map(Math.log),
    rolloutLogprobs: q.map(Math.log),
    advantages,
    mask: p.map(() => 1),
    ...(trajectories && { trajectories }),
  };
}

/** A token as the tests draw it. */
export interface DrawnToken {
  readonly logprob: number;
  readonly rolloutLogprob: number;
  readonly advantage: number;
  readonly trained: boolean;
  readonly trajectory: number;
}

const logprob = fc.oneof(
  fc.double({ min: -30, max: 0, noNaN: true }),
  fc.double({ min: -1, max: 0, noNaN: true }),
  fc.double({ min: -1e-3, max: 0, noNaN: true }),
  fc.constantFrom(0, -1e-12, -100, -80),
);

const drawnToken: fc.Arbitrary<DrawnToken> = fc.record({
  logprob,
  rolloutLogprob: logprob,
  advantage: fc.oneof(fc.double({ min: -10, max: 10, noNaN: true }), fc.constantFrom(0, 1, -1, 1e-6, -1e6)),
  trained: fc.boolean(),
  trajectory: fc.integer({ min: -1, max: 2 }),
});

/** Inputs of up to 12 tokens, random and extreme, at least one of them trained; every token passes `accept`. */
export function lossInputs(accept: (token: DrawnToken) => boolean = () => true): fc.Arbitrary<LossInputs> {
  return fc
    .array(drawnToken.filter(accept), { minLength: 1, maxLength: 12 })
    .filter((tokens) => tokens.some(({ trained }) => trained))
    .map((tokens) => ({
      logprobs: tokens.map((token) => token.logprob),
      rolloutLogprobs: tokens.map((token) => token.rolloutLogprob),
      advantages: tokens.map((token) => token.advantage),
      mask: tokens.map((token) => (token.trained ? 1 : 0)),
      trajectories: tokens.map((token) => token.trajectory),
    }));
}

/** Central difference of a loss along the log-probability of token t; `holdRatio` moves the rollout's by as much. */
export function centralDifference(options: { loss: Loss; inputs: LossInputs; t: number; holdRatio: boolean }): number {
  const { loss, inputs, t, holdRatio } = options;
  const step = 1e-5;
  const moved = (values: LossInputs['logprobs'], by: number) => [...values].map((value, i) => (i === t ? value + by : value));
  const at = (by: number) =>
    loss({
      ...inputs,
      logprobs: moved(inputs.logprobs, by),
      ...(holdRatio && { rolloutLogprobs: moved(inputs.rolloutLogprobs, by) }),
    }).loss;
  return (at(step) - at(-step)) / (2 * step);
}
