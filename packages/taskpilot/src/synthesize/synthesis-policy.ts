import type { Outcome, Snapshot } from '@tadpole/contracts';
import type { RollOut } from '../calibrate/measure-wave.js';
import type { CalibrationCandidate } from '../calibrate/measurement.js';
import type { TaskDraft } from '../validate/task-draft.js';
import type { OfferedTask } from './offered-task.js';
import type { CostMeter } from './synthesis-budget.js';

/** A finished rollout of a task. */
export interface SynthesisRollout {
  readonly taskId: string;
  readonly outcome: Outcome;
  /** Turns that it took, by which trivial tasks are known. @default unknown */
  readonly turns?: number;
  /** United States dollars. @default unknown */
  readonly costUsd?: number;
}

/** The current policy, as the calibrator needs it: something that rolls tasks out and grades them. */
export interface SynthesisPolicy {
  /** Of the weights that are rolled out, for the certificates. */
  readonly weightsVersion: string;
  /** Yields one rollout for each sample, in any order; one that failed is `Unscored`. */
  rollOut(options: {
    requests: readonly { readonly task: TaskDraft; readonly snapshot: Snapshot; readonly samples: readonly number[] }[];
    signal?: AbortSignal;
  }): AsyncIterable<SynthesisRollout>;
}

/** The policy as the calibrator asks it; counts what it sees. */
export function meteredRollOut(options: {
  policy: SynthesisPolicy;
  offered: ReadonlyMap<string, OfferedTask>;
  costs: CostMeter;
  onUnscored: () => void;
}): RollOut<CalibrationCandidate> {
  const { policy, offered, costs, onUnscored } = options;
  return async function* rollOut({ requests, ...rest }) {
    const tasks = requests.flatMap(({ task, samples }) => {
      const known = offered.get(task.id);
      return known === undefined ? [] : [{ task: known.draft, snapshot: known.snapshot, samples }];
    });
    for await (const { taskId, outcome, turns, costUsd } of policy.rollOut({ requests: tasks, ...rest })) {
      if (outcome.status === 'unscored') onUnscored();
      // What failed may have cost nothing, which is no missing price.
      if (outcome.status === 'scored' || costUsd !== undefined) costs.add(costUsd);
      const task = offered.get(taskId);
      if (task !== undefined && outcome.status === 'scored') task.mostTurns = Math.max(task.mostTurns, turns ?? Infinity);
      yield { taskId, outcome };
    }
  };
}
