import type { AnyTool, Grader, OwnedSandbox, Policy, RolloutPurpose, Sampling, Task } from '@tadpole/contracts';
import type { AgentLimitsInput } from '../loop/agent-limits.js';
import type { StopCondition } from '../loop/stop-condition.js';

/** What `rollOut` needs. */
export interface RollOutOptions {
  readonly tasks: readonly Task[];
  /** Rollouts of each task, numbered from 0; or a task's sample numbers, so that a later wave continues an earlier one. */
  readonly samplesPerTask: number | ((task: Task) => readonly number[]);
  readonly purpose: RolloutPurpose;
  readonly policy: Policy;
  /** The weights that `policy` samples from: a sampler's `weightsVersion`, or a model's name and revision. */
  readonly weightsVersion: string;
  readonly tools: readonly AnyTool[];
  readonly grader: Grader;
  /** Opens a fresh sandbox for one attempt; it is disposed before the patch is graded. */
  readonly openSandbox: (task: Task, signal: AbortSignal) => Promise<OwnedSandbox>;
  /** Agents at work at one time. */
  readonly concurrency: number;
  /** Gradings at work at one time; they hold no agent's place. */
  readonly gradingConcurrency: number;
  readonly sampling: Omit<Sampling, 'seed'>;
  /** The rollout's seed, from its identity alone, for instance `(of) => rolloutSeed({ runSeed, ...of })`. */
  readonly seedFor: (of: { taskId: string; sample: number; purpose: RolloutPurpose }) => number;
  /** @default every limit's own default */
  readonly limits?: AgentLimitsInput;
  /** @default defaultSystemPrompt */
  readonly systemPrompt?: string;
  /** @default none */
  readonly stopConditions?: readonly StopCondition[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
  /** Whether a key's result is on record already; such a rollout is skipped. @default none is */
  readonly isFinished?: (key: string) => boolean | Promise<boolean>;
  /** Identity of what surrounds the harness (sandbox provider, grader, further code); enters the key. @default '' */
  readonly fingerprint?: string;
}
