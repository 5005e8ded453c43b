import type { Outcome, RolloutPurpose, Sampling, Task, Trajectory, Usage } from '@tadpole/contracts';

/** A rollout that is to be run. */
export interface PlannedRollout {
  readonly key: string;
  readonly task: Task;
  /** What `hashTask` gave. */
  readonly taskHash: string;
  /** 0-based. */
  readonly sample: number;
  readonly sampling: Sampling;
}

/** An attempt that the infrastructure failed and that was made again; its cost is real. */
export interface FailedAttempt {
  readonly stage: 'agent' | 'grading';
  readonly detail: string;
  /** Of the agent's attempt. */
  readonly usage?: Usage;
}

/** A finished rollout: its identity, what the agent did, and how it was graded. */
export interface RolloutEnd {
  readonly type: 'rollout-end';
  readonly key: string;
  readonly purpose: RolloutPurpose;
  readonly task: Task;
  /** What `hashTask` gave. */
  readonly taskHash: string;
  readonly sample: number;
  readonly seed: number;
  readonly weightsVersion: string;
  readonly trajectory: Trajectory;
  readonly outcome: Outcome;
  /** Tokens and money of all attempts, those that failed included. */
  readonly usage: Usage;
  /** Earlier attempts of this rollout, not counted in `trajectory.usage`. */
  readonly failedAttempts: readonly FailedAttempt[];
}
