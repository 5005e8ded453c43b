import type { TrainingSequence } from './build-sequences.js';
import { numberTrajectories } from './number-trajectories.js';

/**
 * Shuffles rollouts and deals them into at most `count` non-empty minibatches whose numbers of rollouts differ by one at
 * most. Every sequence is in exactly one, together with the other segments of its rollout, since a loss may weigh or
 * clip a rollout as a whole; the same `random` gives the same split.
 */
export function splitMinibatches(options: {
  sequences: readonly TrainingSequence[];
  count: number;
  /** Uniform in [0, 1). */
  random: () => number;
}): TrainingSequence[][] {
  const shuffled: TrainingSequence[][] = [];
  const numbers = numberTrajectories(options.sequences);
  for (const [index, sequence] of options.sequences.entries()) {
    const number = numbers[index] ?? 0;
    const rollout = shuffled[number] ?? [];
    shuffled[number] = rollout;
    rollout.push(sequence);
  }
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(options.random() * (last + 1));
    const moved = shuffled[last] as TrainingSequence[];
    shuffled[last] = shuffled[other] as TrainingSequence[];
    shuffled[other] = moved;
  }
  const count = Math.min(options.count, shuffled.length);
  return Array.from({ length: count }, (_, index) =>
    shuffled.slice(Math.floor((index * shuffled.length) / count), Math.floor(((index + 1) * shuffled.length) / count)).flat(),
  );
}
