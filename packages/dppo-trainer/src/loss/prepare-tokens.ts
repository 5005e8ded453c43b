import { type LossInputs, TadpoleError } from '@tadpole/contracts';

/** How per-token terms become one number: divided by the count of trained tokens, or plainly added. */
export type Aggregation = 'token-mean' | 'sum';

/** What a loss needs about the trained tokens of its inputs, checked once. */
export interface PreparedTokens {
  /** Positions where `mask` is 1. */
  readonly trained: readonly number[];
  /** What the sum of terms is divided by. */
  readonly denominator: number;
}

/**
 * Checks a loss's inputs and finds its trained tokens.
 *
 * @throws TadpoleError `invalid-input` for arrays of unequal length, a mask other than 0 and 1, no trained
 * token, or a number that is not finite at one.
 */
export function prepareTokens(inputs: LossInputs, aggregation: Aggregation): PreparedTokens {
  const { logprobs, rolloutLogprobs, advantages, mask } = inputs;
  const length = logprobs.length;
  if (rolloutLogprobs.length !== length || advantages.length !== length || mask.length !== length) {
    throw invalid(
      `Expected four arrays of one length, got logprobs ${length}, rolloutLogprobs ${rolloutLogprobs.length}, advantages ${advantages.length}, mask ${mask.length}.`,
    );
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
  return { trained, denominator: aggregation === 'sum' ? 1 : trained.length };
}

function invalid(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
