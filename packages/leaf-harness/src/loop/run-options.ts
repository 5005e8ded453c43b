import type { AnyTool, OwnedSandbox, Policy, Sampling } from '@tadpole/contracts';
import type { AgentLimitsInput } from './agent-limits.js';
import type { StopCondition } from './stop-condition.js';

/** What a run of the agent needs. */
export interface RunAgentOptions {
  /** Identity of the trajectory. */
  readonly id: string;
  readonly taskId: string;
  /** The user message, unchanged. */
  readonly instruction: string;
  readonly policy: Policy;
  readonly tools: readonly AnyTool[];
  /** Stays the caller's: the run takes its diff and never disposes it. */
  readonly sandbox: OwnedSandbox;
  /** `maxTokens` is the cap of one turn; `seed` is the rollout's. */
  readonly sampling: Sampling;
  /** @default every limit's own default, see `agentLimitsSchema` */
  readonly limits?: AgentLimitsInput;
  /** @default defaultSystemPrompt */
  readonly systemPrompt?: string;
  /** Further reasons to stop, asked after the limits. @default none */
  readonly stopConditions?: readonly StopCondition[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends the run as `cancelled`. */
  readonly signal?: AbortSignal;
}
