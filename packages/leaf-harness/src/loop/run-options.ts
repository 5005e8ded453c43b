import type { AnyTool, OwnedSandbox, Policy, Sampling } from '@tadpole/contracts';
import type { ToolCallRules } from '../profiles/tool-call-rules.js';
import type { AgentLimitsInput } from './agent-limits.js';
import type { CountTokens } from './estimate-tokens.js';
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
  /** How calls are treated that cannot be run as they stand. @default leafCallRules */
  readonly callRules?: ToolCallRules;
  /** Name of the rules in force, for the harness fingerprint; a profile brings its own. @default 'leaf' */
  readonly profile?: string;
  /** Counts what the policy has not reported: the tools' answers, and everything where it reports no usage. @default estimateMessageTokens */
  readonly countTokens?: CountTokens;
  /** Whether binary files stand in the patch. @default 'keep' */
  readonly binaries?: 'keep' | 'leave-out';
  /** Further reasons to stop, asked after the limits. @default none */
  readonly stopConditions?: readonly StopCondition[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends the run as `cancelled`. */
  readonly signal?: AbortSignal;
}
