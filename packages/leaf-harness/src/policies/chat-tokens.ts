import type { TurnTokens } from '@tadpole/contracts';
import type { ChatCompletion } from './chat-completion.js';

/**
 * The tokens of an answer. vLLM puts `prompt_token_ids` beside the choices, SGLang into each choice; both put `token_ids`
 * into the choice and the log-probabilities into `logprobs.content`.
 *
 * @returns the tokens, or what is wrong with them and what to do.
 */
export function chatTokens(options: { completion: ChatCompletion; weightsVersion: string }): TurnTokens | { readonly problem: string } {
  const { choices, prompt_token_ids: promptIdsOfAll } = options.completion;
  const [choice] = choices;
  if (choice === undefined || choices.length !== 1) return { problem: `Expected one choice to record, received ${choices.length}.` };
  const promptIds = promptIdsOfAll ?? choice.prompt_token_ids;
  const completionIds = choice.token_ids;
  const logprobs = choice.logprobs?.content?.map(({ logprob }) => logprob);
  const missing = [
    ...(promptIds ? [] : ['prompt_token_ids']),
    ...(completionIds ? [] : ['choices[0].token_ids']),
    ...(logprobs ? [] : ['choices[0].logprobs.content']),
  ];
  if (!promptIds || !completionIds || !logprobs) {
    return {
      problem: `Expected the token ids and log-probabilities of the turn, received an answer without ${missing.join(', ')}. Training needs an endpoint that honours return_token_ids and logprobs, for instance vLLM or SGLang; to evaluate only, use createChatPolicy.`,
    };
  }
  if (promptIds.length === 0 || completionIds.length === 0) {
    return {
      problem: `Expected token ids to train on, received ${promptIds.length} of the prompt and ${completionIds.length} sampled ones.`,
    };
  }
  if (completionIds.length !== logprobs.length) {
    return { problem: `Expected one log-probability for each of ${completionIds.length} sampled ids, received ${logprobs.length}.` };
  }
  const above = logprobs.find((logprob) => logprob > 0);
  if (above !== undefined) return { problem: `Expected log-probabilities of 0 or less, received ${above}.` };
  return { promptIds, completionIds, completionLogprobs: logprobs, weightsVersion: options.weightsVersion };
}
