import type { Policy } from '@tadpole/contracts';
import { askChatEndpoint } from './ask-chat-endpoint.js';
import type { ChatPolicyOptions } from './chat-policy-options.js';
import { chatResponse } from './chat-response.js';
import { contextFullResponse } from './context-full-response.js';

/**
 * A policy at an OpenAI-compatible chat-completions endpoint, one request a turn without streaming. Reasoning stays in
 * the history, under the name that the endpoint gives it. An endpoint's "context is full" is the stop reason `context`,
 * not a throw. A busy endpoint (429) is asked again, for `patienceMs`, by ever fewer requests at a time. It records no
 * token ids, so its rollouts can be evaluated and not trained on; for training use `createTokenRecordingChatPolicy` or
 * `createTokenPolicy`.
 *
 * The package `openai` is an optional peer, loaded with the first request.
 *
 * @throws TadpoleError `invalid-config` for options that cannot work; from `respond` also `policy`, `aborted` and `missing-dependency`.
 */
export function createChatPolicy(options: ChatPolicyOptions): Policy {
  const ask = askChatEndpoint(options);
  return {
    name: options.name ?? options.model,
    async respond(request) {
      const { completion } = await ask({ ...request, extraBody: {} });
      if (completion === 'context-full') return contextFullResponse;
      return chatResponse({ completion, messages: request.messages, price: options.price });
    },
  };
}
