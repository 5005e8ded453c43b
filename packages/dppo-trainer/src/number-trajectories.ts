import type { TrainingSequence } from './build-sequences.js';

/** A number for each sequence, the same for the segments of one rollout: 0 for the first rollout, 1 for the next. */
export function numberTrajectories(sequences: readonly TrainingSequence[]): number[] {
  const numbers = new Map<string, number>();
  return sequences.map(({ taskId, trajectoryId }) => {
    const key = JSON.stringify([taskId, trajectoryId]);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}
