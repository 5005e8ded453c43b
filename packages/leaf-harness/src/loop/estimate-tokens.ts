import type { Message } from '@tadpole/contracts';

/** About how many tokens a text has when no tokenizer is at hand: UTF-8 bytes / 4, rounded up (frognano.md section 2.1). */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Counts tokens of messages; a run's own count of what its policy has not reported yet. */
export type CountTokens = (messages: readonly Message[]) => number;

/** FrogNano's count without a tokenizer: the bytes of the messages as compact JSON in the endpoint's shape, divided by 4 (frognano.md section 2.1). */
export function estimateMessageTokens(messages: readonly Message[]): number {
  if (messages.length === 0) return 0;
  return estimateTokens(JSON.stringify(messages.map(wireShape)));
}

function wireShape(message: Message): unknown {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant') return message;
  const calls = message.toolCalls.map(({ id, name, arguments: text }) => ({ id, type: 'function', function: { name, arguments: text } }));
  return {
    role: 'assistant',
    content: message.content,
    ...(message.reasoning === undefined ? {} : { reasoning_content: message.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
