import { TadpoleError } from '@tadpole/contracts';
import type { TrainingSequence } from './build-sequences.js';

/**
 * Deals sequences into packs, each small enough for one call to an engine: what a pack takes when its sequences are padded to
 * the longest of them, their number times its length, is at most `maxPaddedTokens`. Every sequence is in exactly one pack.
 * Sequences of like length go together, longest first, so that little is padding.
 *
 * @throws TadpoleError `invalid-input` for a sequence longer than the budget, by name, and for a budget that is no positive
 * whole number.
 */
export function packSequences(options: { sequences: readonly TrainingSequence[]; maxPaddedTokens: number }): TrainingSequence[][] {
  const { sequences, maxPaddedTokens } = options;
  if (!(Number.isInteger(maxPaddedTokens) && maxPaddedTokens > 0)) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected a positive whole number of padded tokens, got ${maxPaddedTokens}.`,
    });
  }
  const lengthOf = ({ datum }: TrainingSequence) => datum.targets.length;
  const packs: TrainingSequence[][] = [];
  let pack: TrainingSequence[] = [];
  for (const sequence of [...sequences].sort((left, right) => lengthOf(right) - lengthOf(left))) {
    const longest = lengthOf(pack[0] ?? sequence);
    if (longest > maxPaddedTokens) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `Expected sequences of at most ${maxPaddedTokens} tokens, the budget of a pack, got ${longest} in trajectory ${sequence.trajectoryId} of task ${sequence.taskId}. Raise the budget or roll out with a smaller context; nothing is dropped.`,
      });
    }
    if (pack.length === 0 || (pack.length + 1) * longest > maxPaddedTokens) {
      pack = [];
      packs.push(pack);
    }
    pack.push(sequence);
  }
  return packs;
}
