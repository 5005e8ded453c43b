import { type RewardFunction, TadpoleError, type Task } from '@tadpole/contracts';
import { z } from 'zod';
import { unlessAborted } from '../rollouts/unless-aborted.js';
import type { RolloutRecord } from './create-rollout-journal.js';

/** What a reward says of one rollout on record; without a score where the rollout has none to begin with. */
export interface RescoredRollout {
  readonly key: string;
  readonly taskId: string;
  readonly sample: number;
  /** The reward function's name. */
  readonly reward: string;
  readonly score?: number;
  /** The function's; of a rollout without a score, why it is `Unscored`, or `task-changed`. */
  readonly reason?: string;
}

/**
 * A reward of now on rollouts of then: each rollout on record once, by its last record, in the order of the records. No
 * model is asked and nothing is executed but the function, so one that is unchanged gives the same values again. An
 * `Unscored` rollout stays without a score, and so does one of a task that was edited since under its id. To grade anew, call a `Grader` with the record's patch inside the function.
 *
 * @param options.records - Gives the records from the first on at each call: `() => journal.records()`.
 * @param options.tasks - Those of the records; others are not looked at.
 * @throws TadpoleError `invalid-input` when the reward needs live state, when a record's task is not among `tasks`, and for a
 *   score that is no finite number; `aborted` by the signal; and what the records and the function throw.
 */
export async function* rescore(options: {
  records: () => Iterable<RolloutRecord>;
  tasks: readonly Task[];
  /** The one that the rollouts were run with, such as the runtime's `taskHash`. */
  hashTask: (task: Task) => string | Promise<string>;
  reward: RewardFunction;
  signal?: AbortSignal;
}): AsyncGenerator<RescoredRollout, void> {
  const { reward, signal } = options;
  if (reward.liveState !== undefined)
    throw invalid(`a reward that a record suffices for, received ${reward.name}, which needs ${reward.liveState}`);
  const tasks = new Map(options.tasks.map((task) => [task.data.id, task]));
  const hashes = new Map<string, string>();
  for (const { key, taskId, taskHash, sample, trajectory, outcome } of lastRecords(options)) {
    const identity = { key, taskId, sample, reward: reward.name };
    const task = tasks.get(taskId);
    if (task === undefined) throw invalid(`the task of every record among the tasks, received none named ${taskId}`);
    const hash = hashes.get(taskId) ?? (await unlessAborted({ work: () => options.hashTask(task), name: 'hashTask', signal }));
    hashes.set(taskId, hash);
    if (hash !== taskHash) {
      yield { ...identity, reason: 'task-changed' };
      continue;
    }
    if (outcome.status === 'unscored') {
      yield { ...identity, reason: outcome.reason };
      continue;
    }
    const score = () => reward.score({ trajectory, outcome, task, ...(signal === undefined ? {} : { signal }) });
    const given = scoreSchema.safeParse(await unlessAborted({ work: score, name: reward.name, signal }));
    if (!given.success)
      throw invalid(`${reward.name} to give { score, reason? } with a finite number for ${key}: ${z.prettifyError(given.error)}`);
    yield { ...identity, ...given.data };
  }
}

const scoreSchema = z.object({ score: z.number(), reason: z.string().optional() });

/** The last record of each key, in the order of the records, which are read twice: a run's records need not fit into memory. */
function* lastRecords({ records }: { records: () => Iterable<RolloutRecord> }): Generator<RolloutRecord> {
  if (typeof records !== 'function') throw invalid('a function records that gives the records anew at each call');
  const keys: string[] = [];
  for (const { key } of records()) keys.push(key);
  const lastOf = new Map(keys.map((key, index) => [key, index]));
  let index = 0;
  for (const record of records()) {
    // More of them is a run that goes on.
    if (index === keys.length) return;
    if (record.key !== keys[index]) break;
    if (lastOf.get(record.key) === index) yield record;
    index += 1;
  }
  if (index < keys.length)
    throw invalid(`the same ${keys.length} records at each call of records, received other ones from record ${index + 1} on`);
}

function invalid(expected: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `rescore: expected ${expected}.` });
}
