import type { ToolDefinition } from '@tadpole/contracts';
import type { AgentLimits } from './agent-limits.js';
import type { AgentRecord } from './agent-state.js';
import type { Deadline } from './deadline.js';
import type { RunAgentOptions } from './run-options.js';

/** What a turn works with: the caller's options, and what the run keeps. */
export interface TurnContext {
  readonly options: RunAgentOptions;
  readonly limits: AgentLimits;
  readonly definitions: readonly ToolDefinition[];
  readonly record: AgentRecord;
  readonly deadline: Deadline;
}
