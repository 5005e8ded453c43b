import type { StopReason, ToolCall, ToolMessage } from '@tadpole/contracts';
import type { AgentEvent, ToolCallStatus } from './agent-event.js';
import { type Ending, interruption } from './ending.js';
import { executeToolCall } from './execute-tool-call.js';
import type { TurnContext } from './turn-context.js';

/**
 * Runs a turn's calls one after another, in order, and gives every one exactly one tool message: also those that
 * come after the end of the run. Returns the messages, and the ending when the run cannot go on.
 */
export async function* runToolCalls(options: {
  context: TurnContext;
  turn: number;
  toolCalls: readonly ToolCall[];
  /** Set when the turn was cut short: a cut turn's calls may be incomplete, so none is run. */
  notExecutedBecause?: StopReason;
}): AsyncGenerator<AgentEvent, { observations: ToolMessage[]; ending?: Ending }> {
  const { context, turn } = options;
  const observations: ToolMessage[] = [];
  let ending: Ending | undefined;
  for (const [call, toolCall] of options.toolCalls.entries()) {
    const startedMs = context.options.now();
    let content: string;
    let status: ToolCallStatus;
    const reason = options.notExecutedBecause ?? ending?.stopReason;
    if (reason !== undefined) {
      content = `Not executed: the run ended (${reason}).`;
      status = 'not-executed';
    } else {
      yield { type: 'tool-start', turn, call, toolCall };
      try {
        ({ content, status } = await context.deadline.race(() =>
          executeToolCall({
            toolCall,
            tools: context.options.tools,
            rules: context.options.callRules,
            context: { sandbox: context.options.sandbox, signal: context.deadline.signal },
          }),
        ));
        ending = countFailure(context, toolCall, content, status);
      } catch (error) {
        ending = interruption(context, error, 'sandbox-error');
        content = `Not finished: the run ended (${ending.stopReason}).`;
        status = 'failed';
      }
    }
    observations.push(Object.freeze({ role: 'tool', toolCallId: toolCall.id, content }));
    yield { type: 'tool-end', turn, call, toolCall, status, content, durationMs: Math.max(0, context.options.now() - startedMs) };
  }
  return { observations, ending };
}

/** Counts the same call failing with the same answer in a row; anything else in between starts again. */
function countFailure({ record, limits }: TurnContext, toolCall: ToolCall, content: string, status: ToolCallStatus): Ending | undefined {
  const failure = status === 'ok' ? undefined : JSON.stringify([toolCall.name, toolCall.arguments, content]);
  record.repeatedFailures = failure === undefined ? 0 : failure === record.lastFailure ? record.repeatedFailures + 1 : 1;
  record.lastFailure = failure;
  return record.repeatedFailures >= limits.repeatedInvalidCalls ? { stopReason: 'repeated-invalid-calls' } : undefined;
}
