import type { Message, Sampling, ToolCall, ToolDefinition } from '@tadpole/contracts';
import { malformed, parsedArguments } from './parsed-arguments.js';
import { turnSeed } from './turn-seed.js';

/** The body of a chat-completions request (formats.md section 3.5), as plain JSON. */
export type ChatRequest = Readonly<Record<string, unknown>> & {
  readonly model: string;
  readonly messages: readonly unknown[];
  readonly seed: number;
};

/** The two names under which endpoints send and read reasoning. */
export type ReasoningField = 'reasoning_content' | 'reasoning';

/**
 * Makes the body of one request. Reasoning goes back under the name that the endpoint uses, `top_k` only when it is on,
 * since not every endpoint knows it; the seed is the turn's own.
 */
export function chatRequest(options: {
  model: string;
  messages: readonly Message[];
  tools: readonly ToolDefinition[];
  sampling: Sampling;
  reasoningField: ReasoningField;
  extraBody: Readonly<Record<string, unknown>>;
}): ChatRequest {
  const { model, messages, tools, sampling } = options;
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  return {
    model,
    messages: messages.map((message) => wireMessage(message, options.reasoningField)),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => ({ type: 'function', function: tool })), tool_choice: 'auto', parallel_tool_calls: true }),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    ...(sampling.topK === 0 ? {} : { top_k: sampling.topK }),
    max_completion_tokens: sampling.maxTokens,
    seed: turnSeed({ seed: sampling.seed, turn }),
    ...options.extraBody,
  };
}

function wireMessage(message: Message, reasoningField: ReasoningField): unknown {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  return {
    role: 'assistant',
    content: message.content,
    ...(message.reasoning === undefined ? {} : { [reasoningField]: message.reasoning }),
    ...(message.toolCalls.length === 0 ? {} : { tool_calls: message.toolCalls.map(wireCall) }),
  };
}

function wireCall({ id, name, arguments: text }: ToolCall): unknown {
  return {
    id,
    type: 'function',
    function: { name, arguments: parsedArguments(text) === undefined ? JSON.stringify(malformed(text)) : text },
  };
}
