import { type DatumForward, type Loss, type LossInputs, type LossOutput, TadpoleError } from '@tadpole/contracts';
import type { TrainingSequence } from './build-sequences.js';
import { numberTrajectories } from './number-trajectories.js';

/** A loss over a whole minibatch, with its gradient cut back into the shape of the data. */
export interface MinibatchLoss extends LossOutput {
  /** dLoss/dlogprob, one [T] array for each sequence. */
  readonly gradients: readonly Float64Array[];
  /** Mean entropy in nats over trained tokens, where the engine computes it. */
  readonly entropy?: number;
}

/**
 * True when every trained token of every sequence has a finite log-probability.
 *
 * @throws TadpoleError `engine` when a forward pass does not have the shape of its data.
 */
export function hasFiniteLogprobs(sequences: readonly TrainingSequence[], forwards: readonly DatumForward[]): boolean {
  assertShapes(sequences, forwards);
  return sequences.every((sequence, index) =>
    sequence.mask.every((trained, t) => trained === 0 || Number.isFinite(forwards[index]?.logprobs[t] ?? Number.NaN)),
  );
}

/**
 * Evaluates a loss over all tokens of a minibatch at once, so that its denominator is the minibatch's and
 * not one sequence's.
 *
 * @throws TadpoleError `engine` when a forward pass does not have the shape of its data.
 */
export function evaluateLoss(options: {
  loss: Loss;
  sequences: readonly TrainingSequence[];
  forwards: readonly DatumForward[];
}): MinibatchLoss {
  const { loss, sequences, forwards } = options;
  assertShapes(sequences, forwards);
  const output = loss({ ...gather(sequences), logprobs: concatenate(forwards.map(({ logprobs }) => logprobs)) });
  const entropy = meanEntropy(sequences, forwards);
  return { ...output, gradients: cut(output.gradient, sequences), ...(entropy === undefined ? {} : { entropy }) };
}

/**
 * Advantages for an engine that adds its loss's terms up: each multiplied by its token's weight in `loss`. One [T] array for each
 * sequence. On-policy every ratio is 1 and nothing is masked, so the weighted advantage is what the gradient is the negative of.
 */
export function weighAdvantages(options: { loss: Loss; sequences: readonly TrainingSequence[] }): Float64Array[] {
  const inputs = gather(options.sequences);
  const { gradient } = options.loss({ ...inputs, logprobs: inputs.rolloutLogprobs });
  return cut(
    gradient.map((slope) => 0 - slope),
    options.sequences,
  );
}

function gather(sequences: readonly TrainingSequence[]): Omit<LossInputs, 'logprobs'> & { rolloutLogprobs: Float32Array } {
  const trajectories = new Int32Array(sequences.reduce((sum, { mask }) => sum + mask.length, 0));
  const numbers = numberTrajectories(sequences);
  let start = 0;
  for (const [index, { mask }] of sequences.entries()) {
    trajectories.fill(numbers[index] ?? 0, start, start + mask.length);
    start += mask.length;
  }
  return {
    trajectories,
    rolloutLogprobs: concatenate(sequences.map(({ rolloutLogprobs }) => rolloutLogprobs)),
    advantages: concatenate(sequences.map(({ advantages }) => advantages)),
    mask: concatenate(sequences.map(({ mask }) => mask)),
  };
}

function cut(whole: Float64Array, sequences: readonly TrainingSequence[]): Float64Array[] {
  let start = 0;
  return sequences.map(({ mask }) => {
    const part = whole.slice(start, start + mask.length);
    start += mask.length;
    return part;
  });
}

function meanEntropy(sequences: readonly TrainingSequence[], forwards: readonly DatumForward[]): number | undefined {
  let sum = 0;
  let count = 0;
  for (const [index, { mask }] of sequences.entries()) {
    const entropy = forwards[index]?.entropy;
    if (!entropy) return undefined;
    for (let t = 0; t < mask.length; t += 1) {
      if (mask[t] === 0) continue;
      sum += entropy[t] ?? 0;
      count += 1;
    }
  }
  return sum / count;
}

function assertShapes(sequences: readonly TrainingSequence[], forwards: readonly DatumForward[]): void {
  const fits =
    forwards.length === sequences.length && sequences.every(({ mask }, index) => forwards[index]?.logprobs.length === mask.length);
  if (!fits) {
    throw new TadpoleError({
      code: 'engine',
      message: `Expected log-probabilities of lengths [${sequences.map(({ mask }) => mask.length)}] from the engine's forward, got [${forwards.map(({ logprobs }) => logprobs.length)}].`,
    });
  }
}

function concatenate(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let start = 0;
  for (const part of parts) {
    whole.set(part, start);
    start += part.length;
  }
  return whole;
}
