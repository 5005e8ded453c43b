import type { LossInputs, LossOutput } from '@tadpole/contracts';
import { type Aggregation, prepareTokens } from './prepare-tokens.js';
import { ratioMetrics } from './ratio-metrics.js';

/** What a term of a loss reads about its token. */
export interface Token {
  readonly logprob: number;
  readonly rolloutLogprob: number;
  /** logprob - rolloutLogprob */
  readonly logRatio: number;
  readonly ratio: number;
  readonly advantage: number;
}

/** A token's term before it is divided. */
export interface Term {
  readonly value: number;
  /** d value / d logprob, as the loss defines it: what it holds constant has no part in it. */
  readonly slope: number;
  /** True where the loss takes the token out or holds its ratio fast. */
  readonly held: boolean;
}

/** The term of a token that a mask takes out. */
export const MASKED: Term = { value: 0, slope: 0, held: true };

/**
 * Adds up a loss whose terms read one token each. Its metrics are those of the ratio, `loss`, and the held share of
 * trained tokens under the name `heldAs`.
 */
export function sumTerms(options: {
  inputs: LossInputs;
  aggregation: Aggregation;
  heldAs: 'maskFraction' | 'clipFraction';
  term: (token: Token) => Term;
}): LossOutput {
  const { inputs, aggregation, heldAs, term } = options;
  const { trained, divisors } = prepareTokens(inputs, aggregation);
  const gradient = new Float64Array(inputs.logprobs.length);
  let loss = 0;
  let held = 0;
  for (const t of trained) {
    const logprob = inputs.logprobs[t] ?? 0;
    const rolloutLogprob = inputs.rolloutLogprobs[t] ?? 0;
    const logRatio = logprob - rolloutLogprob;
    const advantage = inputs.advantages[t] ?? 0;
    const given = term({ logprob, rolloutLogprob, logRatio, ratio: Math.exp(logRatio), advantage });
    if (given.held) held += 1;
    // Without an advantage a term is 0, also where an overflowing ratio would make it NaN.
    if (advantage === 0) continue;
    const divisor = divisors[t] ?? 1;
    loss += given.value / divisor;
    gradient[t] = given.slope / divisor;
  }
  return { loss, gradient, metrics: { loss, [heldAs]: held / trained.length, ...ratioMetrics(inputs, trained) } };
}
