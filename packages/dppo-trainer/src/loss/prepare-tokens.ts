import { type LossInputs, TadpoleError } from '@tadpole/contracts';

/**
 * How per-token terms become one number, for N trajectories with T_i trained tokens each, T in all:
 *
 * - `token-mean`: the sum over T. Masked tokens count, as in FrogNano (arXiv 2609.07925).
 * - `trajectory-mean`: the mean over trajectories of the mean over their T_i tokens (ROFT, arXiv 2609.35741)
 * - `length-normalised`: the sum over N times a fixed `length`, which stands for the longest possible rollout, so that a token
 *   weighs the same in a short trajectory as in a long one, and in every batch (Dr. GRPO; `seq-mean-token-sum-norm` in verl)
 * - `sum`: the sum
 */
export type Aggregation = 'token-mean' | 'trajectory-mean' | 'sum' | { readonly kind: 'length-normalised'; readonly length: number };

/** What a loss needs about the trained tokens of its inputs, checked once. */
export interface PreparedTokens {
  /** Positions where `mask` is 1. */
  readonly trained: readonly number[];
  /** What a token's term in the loss is divided by [T]; 1 where nothing is trained. */
  readonly divisors: Float64Array;
}

/**
 * Checks a loss's inputs, finds its trained tokens and what their terms are divided by.
 *
 * @throws TadpoleError `invalid-input` for arrays of unequal length, a mask other than 0 and 1, no trained
 * token, or a number that is not finite at one; for a length that is not positive.
 */
export function prepareTokens(inputs: LossInputs, aggregation: Aggregation): PreparedTokens {
  const { logprobs, rolloutLogprobs, advantages, mask, trajectories } = inputs;
  const length = logprobs.length;
  for (const [name, values] of Object.entries({ rolloutLogprobs, advantages, mask, trajectories: trajectories ?? logprobs })) {
    if (values.length !== length) throw invalid(`Expected ${name} of the length of logprobs, ${length}, got ${values.length}.`);
  }
  const trained: number[] = [];
  for (let t = 0; t < length; t += 1) {
    if (mask[t] === 0) continue;
    if (mask[t] !== 1) throw invalid(`Expected a mask of 0 and 1, got ${mask[t]} at token ${t}.`);
    for (const [name, values] of [
      ['logprobs', logprobs],
      ['rolloutLogprobs', rolloutLogprobs],
      ['advantages', advantages],
    ] as const) {
      if (!Number.isFinite(values[t])) throw invalid(`Expected finite ${name} at every trained token, got ${values[t]} at token ${t}.`);
    }
    trained.push(t);
  }
  if (trained.length === 0) throw invalid(`Expected at least one trained token among ${length}; every mask entry is 0.`);
  return { trained, divisors: divideTokens({ inputs, trained, aggregation }) };
}

/** Positions of the trained tokens of each trajectory, in order of appearance. */
export function groupByTrajectory(inputs: LossInputs, trained: readonly number[]): readonly (readonly number[])[] {
  const { trajectories } = inputs;
  if (!trajectories) return [trained];
  const groups = new Map<number, number[]>();
  for (const t of trained) {
    const trajectory = trajectories[t] ?? Number.NaN;
    const group = groups.get(trajectory);
    if (group) group.push(t);
    else groups.set(trajectory, [t]);
  }
  return [...groups.values()];
}

function divideTokens(options: { inputs: LossInputs; trained: readonly number[]; aggregation: Aggregation }): Float64Array {
  const { inputs, trained, aggregation } = options;
  const divisors = new Float64Array(inputs.logprobs.length).fill(1);
  if (aggregation === 'sum') return divisors;
  if (aggregation === 'token-mean') {
    for (const t of trained) divisors[t] = trained.length;
    return divisors;
  }
  const groups = groupByTrajectory(inputs, trained);
  for (const group of groups) {
    const length = aggregation === 'trajectory-mean' ? group.length : fixedLength(aggregation.length);
    for (const t of group) divisors[t] = groups.length * length;
  }
  return divisors;
}

function fixedLength(length: number): number {
  if (Number.isFinite(length) && length > 0) return length;
  throw invalid(`Expected a positive length for the length-normalised aggregation, got ${length}: give the longest rollout in tokens.`);
}

function invalid(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
