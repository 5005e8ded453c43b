import { type Policy, type Renderer, type Sampler, TadpoleError } from '@tadpole/contracts';
import { contextFullResponse } from './context-full-response.js';
import { turnSeed } from './turn-seed.js';

/**
 * A policy that is token in, token out: the renderer makes the prompt's ids, the sampler continues them, and the
 * ids and log-probabilities go on the record as they came. Turn t samples with `turnSeed(sampling.seed, t)`, where
 * t is the number of assistant messages in the history. No room in the context is the stop reason `context`, not a throw.
 */
export function createTokenPolicy(options: {
  /** For records. */
  name: string;
  renderer: Renderer;
  /** Frozen weights; after an update make a new policy from the new sampler. */
  sampler: Sampler;
}): Policy {
  const { name, renderer, sampler } = options;
  return {
    name,
    async respond({ messages, tools, sampling, signal }) {
      const promptIds = renderer.render(messages, tools);
      const room = sampler.contextTokens - promptIds.length;
      if (room <= 0) return contextFullResponse;
      const turn = messages.filter(({ role }) => role === 'assistant').length;
      const maxTokens = Math.min(sampling.maxTokens, room);
      const sequences = await sampler.sample({
        prompt: promptIds,
        count: 1,
        sampling: { ...sampling, maxTokens, seed: turnSeed({ seed: sampling.seed, turn }) },
        stopIds: renderer.stopIds,
        signal,
      });
      const [sequence] = sequences;
      if (sequence === undefined || sequences.length !== 1) {
        throw new TadpoleError({
          code: 'engine',
          message: `Policy ${name}: expected 1 sequence from the sampler, received ${sequences.length}.`,
        });
      }
      return {
        message: renderer.parse(sequence.ids, messages, tools),
        usage: { promptTokens: promptIds.length, completionTokens: sequence.ids.length },
        tokens: { promptIds, completionIds: sequence.ids, completionLogprobs: sequence.logprobs, weightsVersion: sampler.weightsVersion },
        stopReason: sequence.stopReason === 'stop' ? 'stop' : maxTokens < sampling.maxTokens ? 'context' : 'length',
      };
    },
  };
}
