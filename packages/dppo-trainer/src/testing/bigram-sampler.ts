import { type SampledSequence, type Sampler, type Sampling, TadpoleError } from '@tadpole/contracts';
import { type BigramModel, createStream, nextLogprobs } from './bigram-model.js';

/** A sampler of a frozen bigram model: exact log-probabilities, one stream for each (seed, sequence). */
export function createBigramSampler(options: { model: BigramModel; weightsVersion: string; contextTokens: number }): Sampler {
  const { weightsVersion, contextTokens } = options;
  const model = { ...options.model, logits: options.model.logits.slice() };
  return {
    weightsVersion,
    contextTokens,
    async sample({ prompt, count, sampling, stopIds, signal }) {
      if (signal?.aborted) throw new TadpoleError({ code: 'aborted', message: 'Sampling was aborted.' });
      if (prompt.length === 0 || prompt.length >= contextTokens) {
        throw new TadpoleError({
          code: 'invalid-input',
          message: `Expected a prompt of 1 to ${contextTokens - 1} tokens, got ${prompt.length}.`,
        });
      }
      if (sampling.topP !== 1 || sampling.topK !== 0) {
        throw new TadpoleError({ code: 'unsupported', message: 'The bigram sampler offers temperature only; set topP 1 and topK 0.' });
      }
      return Array.from({ length: count }, (_, index) => drawSequence({ model, prompt, sampling, stopIds, contextTokens, index }));
    },
  };
}

function drawSequence(options: {
  model: BigramModel;
  prompt: readonly number[];
  sampling: Sampling;
  stopIds: readonly number[];
  contextTokens: number;
  index: number;
}): SampledSequence {
  const { model, prompt, sampling, stopIds, index } = options;
  const random = createStream(sampling.seed, index);
  const ids: number[] = [];
  const logprobs: number[] = [];
  const room = Math.min(sampling.maxTokens, options.contextTokens - prompt.length);
  let current = prompt[prompt.length - 1] ?? 0;
  while (ids.length < room) {
    const distribution = nextLogprobs(model, current);
    current = drawToken(distribution, sampling.temperature, random);
    ids.push(current);
    logprobs.push(distribution[current] ?? Number.NaN);
    if (stopIds.includes(current)) return { ids, logprobs, stopReason: 'stop' };
  }
  return { ids, logprobs, stopReason: 'length' };
}

function drawToken(logprobs: Float64Array, temperature: number, random: () => number): number {
  if (temperature === 0) return logprobs.indexOf(Math.max(...logprobs));
  const weights = logprobs.map((logprob) => Math.exp(logprob / temperature));
  let rest = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [id, weight] of weights.entries()) {
    rest -= weight;
    if (rest < 0) return id;
  }
  return weights.length - 1;
}
