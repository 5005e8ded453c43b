import type { AssistantMessage, Message, StopReason, ToolCall, Usage } from '@tadpole/contracts';

/** How a tool call went: `failed` when the tool threw, `invalid` when it could not be run, `not-executed` when the run ended first. */
export type ToolCallStatus = 'ok' | 'failed' | 'invalid' | 'not-executed';

/**
 * What happens in a run, in this order:
 *
 * ```
 * agent-start
 *   (turn-start  message-end  (tool-start  tool-end)*  turn-end)*
 * agent-end
 * ```
 *
 * A call that is not executed has a `tool-end` and no `tool-start`. A turn in which no message came
 * (the endpoint failed, the context was full, the run was stopped) has a `turn-start` only.
 */
export type AgentEvent =
  | { readonly type: 'agent-start'; readonly id: string; readonly taskId: string; readonly opening: readonly Message[] }
  | { readonly type: 'turn-start'; readonly turn: number }
  | {
      readonly type: 'message-end';
      readonly turn: number;
      readonly message: AssistantMessage;
      readonly usage: Usage;
      readonly stopReason: 'stop' | 'length' | 'context';
      readonly durationMs: number;
    }
  | { readonly type: 'tool-start'; readonly turn: number; readonly call: number; readonly toolCall: ToolCall }
  | {
      readonly type: 'tool-end';
      readonly turn: number;
      readonly call: number;
      readonly toolCall: ToolCall;
      readonly status: ToolCallStatus;
      readonly content: string;
      readonly durationMs: number;
    }
  | { readonly type: 'turn-end'; readonly turn: number; readonly usage: Usage; readonly contextTokens: number }
  | { readonly type: 'agent-end'; readonly stopReason: StopReason; readonly error?: string };
