import type { PolicyResponse, ToolMessage } from '@tadpole/contracts';
import type { AgentEvent } from './agent-event.js';
import { addUsage } from './agent-state.js';
import { type Ending, interruption } from './ending.js';
import { estimateTokens } from './estimate-tokens.js';
import { assertTurnTokens } from './record-segments.js';
import type { RunAgentOptions } from './run-options.js';
import { runToolCalls } from './run-tool-calls.js';
import { lengthStopReason } from './stop-condition.js';
import type { TurnContext } from './turn-context.js';

/** One model call and its tools. Returns why the run ends, or nothing when it goes on. */
export async function* takeTurn(context: TurnContext): AsyncGenerator<AgentEvent, Ending | undefined> {
  const { options, limits, record } = context;
  const turn = record.turns.length;
  yield { type: 'turn-start', turn };
  const startedMs = options.now();
  const turnTokens = Math.min(options.sampling.maxTokens, limits.maxGeneratedTokens - record.usage.completionTokens);

  let response: PolicyResponse;
  try {
    response = await context.deadline.race(() => respond(context, turnTokens));
  } catch (error) {
    return interruption(context, error, 'policy-error');
  }
  record.usage = addUsage(record.usage, response.usage);
  const { message, stopReason } = response;
  if (stopReason === 'context' && response.usage.completionTokens === 0) return { stopReason: 'max-context' };
  if (response.tokens !== undefined) record.tokens.push(response.tokens);
  record.messages.push(message);
  yield { type: 'message-end', turn, message, usage: response.usage, stopReason, durationMs: elapsed(options, startedMs) };

  const cut: Ending | undefined =
    stopReason === 'stop'
      ? undefined
      : { stopReason: lengthStopReason({ response, limits, generatedTokens: record.usage.completionTokens, turnTokens }) };
  const { observations, ending } = yield* runToolCalls({
    context,
    turn,
    toolCalls: message.toolCalls,
    notExecutedBecause: cut?.stopReason,
  });
  record.messages.push(...observations);
  record.turns.push({ assistant: message, observations, usage: response.usage, durationMs: elapsed(options, startedMs) });
  record.contextTokens = response.usage.promptTokens + response.usage.completionTokens + sumTokens(observations);
  yield { type: 'turn-end', turn, usage: record.usage, contextTokens: record.contextTokens };
  return cut ?? ending ?? (message.toolCalls.length === 0 ? { stopReason: 'agent' } : undefined);
}

/** An async function, so that a policy's synchronous throw is a rejection too. */
async function respond({ options, record, definitions, deadline }: TurnContext, turnTokens: number): Promise<PolicyResponse> {
  const response = await options.policy.respond({
    messages: [...record.messages],
    tools: definitions,
    sampling: { ...options.sampling, maxTokens: turnTokens },
    signal: deadline.signal,
  });
  if (response.tokens !== undefined) assertTurnTokens(response.tokens);
  return response;
}

function elapsed(options: RunAgentOptions, startedMs: number): number {
  return Math.max(0, options.now() - startedMs);
}

function sumTokens(observations: readonly ToolMessage[]): number {
  return observations.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}
