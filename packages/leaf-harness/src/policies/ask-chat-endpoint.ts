import type { Policy, TadpoleError } from '@tadpole/contracts';
import type { ChatCompletion } from './chat-completion.js';
import type { ChatPolicyOptions } from './chat-policy-options.js';
import { chatRequest, type ReasoningField } from './chat-request.js';
import { createChatEndpoint } from './create-chat-endpoint.js';

/** Sends requests of a policy to its endpoint. Remembers under which name the endpoint sends reasoning. */
export function askChatEndpoint(
  options: ChatPolicyOptions,
): (
  request: Parameters<Policy['respond']>[0] & { extraBody: Readonly<Record<string, unknown>> },
) => Promise<{ completion: ChatCompletion | 'context-full'; failure: (text: string) => TadpoleError }> {
  const endpoint = createChatEndpoint(options);
  let reasoningField: ReasoningField = 'reasoning_content';
  return async ({ messages, tools, sampling, signal, extraBody }) => {
    const request = chatRequest({
      model: options.model,
      messages,
      tools,
      sampling,
      reasoningField,
      extraBody: { ...options.extraBody, ...extraBody },
    });
    const completion = await endpoint.complete({ request, signal });
    if (completion !== 'context-full') {
      for (const { message } of completion.choices) {
        if (message.reasoning_content) reasoningField = 'reasoning_content';
        else if (message.reasoning) reasoningField = 'reasoning';
      }
    }
    return { completion, failure: endpoint.failure };
  };
}
