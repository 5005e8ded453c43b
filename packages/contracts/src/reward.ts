import type { Scored } from './outcome.js';
import type { Task } from './task.js';
import type { Trajectory } from './trajectory.js';

/** What a reward function says of one rollout. */
export interface RewardScore {
  readonly score: number;
  readonly reason?: string;
}

/** Turns a scored rollout into a number. Weights live at the call site, not in the function. */
export interface RewardFunction {
  readonly name: string;
  /** The number for one rollout, with a reason for people where there is one. */
  score(options: {
    trajectory: Trajectory;
    /** Only a scored outcome has a reward; the caller keeps the unscored ones out. */
    outcome: Scored;
    task: Task;
    signal?: AbortSignal;
  }): RewardScore | Promise<RewardScore>;
}
