import type { Scored } from './outcome.js';
import type { Task } from './task.js';
import type { Trajectory } from './trajectory.js';

/** What a reward function says of one rollout. */
export interface RewardScore {
  readonly score: number;
  readonly reason?: string;
  /** What a composed score is made of, by name: each part's score before weighting. */
  readonly parts?: Readonly<Record<string, RewardScore & { readonly weight: number }>>;
}

/** Turns a scored rollout into a number. Weights live at the call site, not in the function. */
export interface RewardFunction {
  readonly name: string;
  /**
   * What the score reads beside its arguments while the rollout is alive, in words ("the agent's sandbox"). A reward with
   * one cannot score a saved run. @default none: a record suffices
   */
  readonly liveState?: string;
  /** The number for one rollout, with a reason for people where there is one. */
  score(options: {
    trajectory: Trajectory;
    /** Only a scored outcome has a reward; the caller keeps the unscored ones out. */
    outcome: Scored;
    task: Task;
    signal?: AbortSignal;
  }): RewardScore | Promise<RewardScore>;
}
