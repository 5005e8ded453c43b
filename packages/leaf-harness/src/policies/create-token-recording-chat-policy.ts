import type { Policy } from '@tadpole/contracts';
import { askChatEndpoint } from './ask-chat-endpoint.js';
import type { ChatPolicyOptions } from './chat-policy-options.js';
import { chatResponse, withCost } from './chat-response.js';
import { chatTokens } from './chat-tokens.js';
import { contextFullResponse } from './context-full-response.js';

/** What `createTokenRecordingChatPolicy` needs. */
export interface TokenRecordingChatPolicyOptions extends ChatPolicyOptions {
  /** Of the weights that the endpoint serves, which are frozen: after an update make a new policy. */
  readonly weightsVersion: string;
}

/**
 * A policy like `createChatPolicy` whose endpoint also returns the ids that it sampled, so that its rollouts can be
 * trained on: vLLM and SGLang do. It asks for `return_token_ids` and
 * `logprobs`. The endpoint renders the history anew each turn; where that does not extend the ids so far, `recordSegments`
 * starts a new segment and counts the break. `createTokenPolicy` has no such breaks.
 *
 * The log-probabilities are the endpoint's: those of the contract where it samples at temperature 1 with top-p 1 and no
 * top-k, or reports raw ones (vLLM's default `--logprobs-mode raw_logprobs`).
 *
 * @throws TadpoleError as `createChatPolicy`; from `respond` also `policy` when an answer came without token ids, without
 * a log-probability for each, or with none at all: such a turn would be an empty training sample.
 */
export function createTokenRecordingChatPolicy(options: TokenRecordingChatPolicyOptions): Policy {
  const ask = askChatEndpoint(options);
  return {
    name: options.name ?? options.model,
    async respond(request) {
      const { completion, failure } = await ask({ ...request, extraBody: { logprobs: true, return_token_ids: true } });
      if (completion === 'context-full') return contextFullResponse;
      const recorded = chatTokens({ completion, weightsVersion: options.weightsVersion });
      if ('problem' in recorded) throw failure(recorded.problem);
      const { promptIds, completionIds } = recorded;
      const usage = withCost({ promptTokens: promptIds.length, completionTokens: completionIds.length }, options.price);
      return { ...chatResponse({ completion, messages: request.messages }), usage, tokens: recorded };
    },
  };
}
