import type { AnyTool, Grader, OwnedSandbox, Policy, RolloutPurpose, Sampling, Task } from '@tadpole/contracts';
import type { AgentLimitsInput } from '../loop/agent-limits.js';
import type { CountTokens } from '../loop/estimate-tokens.js';
import type { StopCondition } from '../loop/stop-condition.js';
import type { ToolCallRules } from '../profiles/tool-call-rules.js';
import type { Redactor } from '../secrets/create-redactor.js';
import type { RolloutDeadlinesInput } from './rollout-deadlines.js';
import type { RolloutEnd } from './rollout-end.js';

/** Where finished rollouts are kept, so that a run that was cut off goes on where it was. `createRolloutJournal` makes one. */
export interface RolloutJournal {
  /** Whether the key's result is on record; such a rollout is not run. */
  has(key: string): boolean | Promise<boolean>;
  /** Keeps a finished rollout, before it is yielded. A throw ends the run: nothing is rolled out that cannot be kept. */
  append(end: RolloutEnd): void | Promise<void>;
}

/** What `rollOut` needs. */
export interface RollOutOptions {
  readonly tasks: readonly Task[];
  /** Rollouts of each task, numbered from 0; or a task's sample numbers, so that a later wave continues an earlier one. */
  readonly samplesPerTask: number | ((task: Task) => readonly number[]);
  /**
   * Identity of all that a task says and holds, its files included: the runtime's `taskHash`. It enters the key, so that a
   * task whose files were edited under the same id is rolled out again. Called once a task, when its turn comes.
   */
  readonly hashTask: (task: Task) => string | Promise<string>;
  /** With `train`, a policy that returns no token ids ends the run at its first rollout. */
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
  /** @default leafCallRules */
  readonly callRules?: ToolCallRules;
  /** Name of the rules in force. @default 'leaf' */
  readonly profile?: string;
  /** @default estimateMessageTokens */
  readonly countTokens?: CountTokens;
  /** Whether binary files stand in the patch. @default 'keep' */
  readonly binaries?: 'keep' | 'leave-out';
  /** Of each phase and of all together. @default see `rolloutDeadlinesSchema` */
  readonly deadlines?: RolloutDeadlinesInput;
  /** Tries of the agent, and of the grading, when the infrastructure fails. @default 2, FrogNano's (frognano.md section 2.1) */
  readonly attempts?: number;
  /** Takes secrets out of everything that is yielded and kept. @default createRedactor(): keys of known forms */
  readonly redactor?: Redactor;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
  /** @default none: nothing is kept, and every rollout is run */
  readonly journal?: RolloutJournal;
  /** Identity of what surrounds the harness (sandbox provider, grader, further code); enters the key. @default '' */
  readonly fingerprint?: string;
}
