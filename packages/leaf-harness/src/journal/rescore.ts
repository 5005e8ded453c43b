import { type RewardFunction, TadpoleError, type Task } from '@tadpole/contracts';
import type { RolloutRecord } from './create-rollout-journal.js';

/** What a reward says of one rollout on record; without a score where the rollout has none to begin with. */
export interface RescoredRollout {
  readonly key: string;
  readonly taskId: string;
  readonly sample: number;
  /** The reward function's name. */
  readonly reward: string;
  readonly score?: number;
  /** The function's; of a rollout without a score, why it is `Unscored`. */
  readonly reason?: string;
}

/**
 * A reward of now on rollouts of then: each rollout on record once, by its last record, in the order of the records. No
 * model is asked and nothing is executed but the function, so one that is unchanged gives the same values again. An
 * `Unscored` rollout stays without a score. To grade anew, call a `Grader` with the record's patch inside the function.
 *
 * @param options.records - Gives the records from the first on at each call: `() => journal.records()`.
 * @param options.tasks - Those of the records; others are not looked at.
 * @throws TadpoleError `invalid-input` when the reward needs live state, when a record's task is not among `tasks`, and for a
 *   score that is no finite number; `aborted` by the signal; and what the records and the function throw.
 */
export async function* rescore(options: {
  records: () => Iterable<RolloutRecord>;
  tasks: readonly Task[];
  reward: RewardFunction;
  signal?: AbortSignal;
}): AsyncGenerator<RescoredRollout, void> {
  const { records, reward, signal } = options;
  if (reward.liveState !== undefined)
    throw invalid(`a reward that a record suffices for, received ${reward.name}, which needs ${reward.liveState}`);
  const tasks = new Map(options.tasks.map((task) => [task.data.id, task]));
  const lastOf = new Map<string, number>();
  let count = 0;
  for (const { key, taskId } of records()) {
    if (!tasks.has(taskId)) throw invalid(`the task of every record among the tasks, received none named ${taskId}`);
    lastOf.set(key, count);
    count += 1;
  }
  let index = -1;
  for (const { key, taskId, sample, trajectory, outcome } of records()) {
    index += 1;
    if (lastOf.get(key) !== index) continue;
    if (signal?.aborted) throw new TadpoleError({ code: 'aborted', message: 'rescore: its signal is aborted', cause: signal.reason });
    const identity = { key, taskId, sample, reward: reward.name };
    if (outcome.status === 'unscored') {
      yield { ...identity, reason: outcome.reason };
      continue;
    }
    const { score, reason } = await reward.score({
      trajectory,
      outcome,
      task: tasks.get(taskId)!,
      ...(signal === undefined ? {} : { signal }),
    });
    if (!Number.isFinite(score)) throw invalid(`${reward.name} to give a finite number for ${key}, received ${score}`);
    yield { ...identity, score, ...(reason === undefined ? {} : { reason }) };
  }
}

function invalid(expected: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `rescore: expected ${expected}.` });
}
