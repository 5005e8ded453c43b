import type { AssistantMessage, Message, PolicyResponse, Usage } from '@tadpole/contracts';
import { estimateTokens } from '../loop/estimate-tokens.js';
import type { ChatChoice, ChatCompletion } from './chat-completion.js';
import { uniqueCallIds } from './unique-call-ids.js';

/** United States dollars for a million tokens. */
export interface TokenPrice {
  readonly promptPerMillion: number;
  readonly completionPerMillion: number;
}

const LENGTH_REASONS: readonly unknown[] = ['length', 'max_tokens', 'max_new_tokens'];

/**
 * Reads an answer. Gateways may spread a turn over several choices: the text is the first one's that has any, the calls
 * are the last one's that has any. Missing and repeated call ids are replaced, so that ids are unique in the history.
 * Where the endpoint counts no tokens they are estimated from the text, so that the limits still hold, and the usage says so.
 */
export function chatResponse(options: {
  completion: ChatCompletion;
  /** The history that the answer continues. */
  messages: readonly Message[];
  price?: TokenPrice;
}): PolicyResponse {
  const { choices, usage } = options.completion;
  const contents = choices.map(({ message }) => message.content).filter(Boolean);
  const reasoning = choices.map(({ message }) => message.reasoning_content || message.reasoning).find(Boolean);
  const calls = choices.findLast(({ message }) => (message.tool_calls ?? []).length > 0)?.message.tool_calls ?? [];
  const message: AssistantMessage = {
    role: 'assistant',
    content: contents[0] ?? '',
    ...(reasoning ? { reasoning } : {}),
    toolCalls: uniqueCallIds({
      calls: calls.map(({ id, function: { name, arguments: text } }) => ({ id: id ?? '', name, arguments: text })),
      messages: options.messages,
    }),
  };
  // No endpoint reads nothing, so a prompt of 0 tokens was not counted.
  const counted = usage?.prompt_tokens ? usage : undefined;
  const tokens = {
    promptTokens: counted?.prompt_tokens ?? estimateTokens(JSON.stringify(options.messages)),
    completionTokens: counted?.completion_tokens ?? estimateTokens(JSON.stringify(message)),
    ...(counted?.completion_tokens == null ? { isEstimated: true as const } : {}),
  };
  return { message, usage: withCost(tokens, options.price), stopReason: stopReason(choices) };
}

function stopReason(choices: readonly ChatChoice[]): PolicyResponse['stopReason'] {
  const reasons = choices.map((choice) => choice.finish_reason);
  if (reasons.includes('model_length')) return 'context';
  return reasons.some((reason) => LENGTH_REASONS.includes(reason)) ? 'length' : 'stop';
}

/** Adds the cost of the tokens, where there is a price. */
export function withCost(usage: Usage, price: TokenPrice | undefined): Usage {
  if (price === undefined) return usage;
  return {
    ...usage,
    costUsd: (usage.promptTokens * price.promptPerMillion + usage.completionTokens * price.completionPerMillion) / 1_000_000,
  };
}
