import { type Outcome, type Scored, TadpoleError } from '@tadpole/contracts';
import { isEndOf } from '../until-deadline.js';

/** Rollouts wanted of one task; `samples` number its rollouts from 0 and never repeat. */
export interface RolloutRequest<Item> {
  readonly task: Item;
  readonly samples: readonly number[];
}

/** Runs rollouts of the current policy and grades them; yields one outcome for each sample, in any order. */
export type RollOut<Item> = (options: {
  requests: readonly RolloutRequest<Item>[];
  signal?: AbortSignal;
}) => AsyncIterable<{ taskId: string; outcome: Outcome }>;

/** What was seen of one task; `asked` counts every rollout asked for. */
export interface TaskCount<Item> {
  readonly task: Item;
  successes: number;
  trials: number;
  unscored: number;
  asked: number;
}

/** Asks for the next `most` rollouts of a task, and counts them as asked. */
export function requestMore<Item>({ count, most }: { count: TaskCount<Item>; most: number }): RolloutRequest<Item> {
  const samples = Array.from({ length: most }, (_, index) => count.asked + index);
  count.asked += most;
  return { task: count.task, samples };
}

/**
 * Takes all outcomes that were asked for into `counts`; those that came before `deadline` ended the others, which are then not
 * counted as asked. @throws TadpoleError `invalid-input` when some are missing or foreign.
 */
export async function countOutcomes(options: {
  counts: readonly TaskCount<{ readonly id: string }>[];
  outcomes: AsyncIterable<{ taskId: string; outcome: Outcome }>;
  isSuccess: (outcome: Scored) => boolean;
  deadline?: AbortSignal | undefined;
}): Promise<void> {
  const { deadline } = options;
  const byId = new Map(options.counts.map((count) => [count.task.id, count]));
  try {
    for await (const { taskId, outcome } of options.outcomes) {
      const count = byId.get(taskId);
      if (count === undefined || count.trials + count.unscored === count.asked) {
        throw invalid(`rollOut yielded an outcome of ${taskId} that was not asked for`);
      }
      if (outcome.status === 'unscored') count.unscored++;
      else count.trials++;
      if (outcome.status === 'scored' && options.isSuccess(outcome)) count.successes++;
    }
  } catch (error) {
    if (!isEndOf(deadline, error)) throw error;
  }
  if (deadline?.aborted) for (const count of options.counts) count.asked = count.trials + count.unscored;
  const short = options.counts.find((count) => count.trials + count.unscored < count.asked);
  if (short !== undefined)
    throw invalid(`rollOut ended without all outcomes of ${short.task.id}; yield Unscored for a rollout that failed`);
}

function invalid(problem: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `calibrate: ${problem}.` });
}
