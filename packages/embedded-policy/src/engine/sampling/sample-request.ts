import { TadpoleError } from '@tadpole/contracts';
import type { ModelConfig } from '../model/model-config.js';
import type { TokenChoice } from './pick-token.js';

/** A request for samples that continue one prompt. */
export interface SampleRequest extends TokenChoice {
  /** Token ids [P], P ≥ 1. */
  readonly prompt: Int32Array;
  /** Number of sequences. @default 1 */
  readonly count?: number;
  /** Most new tokens a sequence; the model's context also bounds prompt and new tokens together. */
  readonly maxTokens: number;
  /** Ids that end a sequence; the stop token is part of the sample. @default [] */
  readonly stopIds?: readonly number[];
  /** Seed: sequence i draws from a generator of its own, seeded with (seed, i). */
  readonly seed: number;
}

/** One sampled sequence of T new tokens. */
export interface TokenSequence {
  /** [T], the stop token included. */
  readonly ids: Int32Array;
  /** [T] log-probability of each token under the raw softmax (temperature 1, nothing cut), nats: what training uses. */
  readonly logprobs: Float32Array;
  /** [T] log-probability under the distribution that was drawn from (temperature, topK, topP), nats; 0 for greedy. */
  readonly samplingLogprobs: Float32Array;
  readonly stopReason: 'stop' | 'length';
}

/** Refuses a request that the model cannot serve. Throws `invalid-input` with what was expected. */
export function assertSampleRequest(request: SampleRequest, config: ModelConfig): void {
  const { prompt, count = 1, maxTokens, temperature = 1 } = request;
  const refuse = (message: string) => new TadpoleError({ code: 'invalid-input', message: `sample: ${message}` });
  if (prompt.length < 1 || prompt.length >= config.contextTokens) {
    throw refuse(`expected a prompt of 1 to ${config.contextTokens - 1} tokens, got ${prompt.length}; shorten the conversation`);
  }
  const wrong = prompt.find((id) => id < 0 || id >= config.vocabularySize);
  if (wrong !== undefined) throw refuse(`expected token ids from 0 to ${config.vocabularySize - 1}, got ${wrong}`);
  if (!(count >= 1) || !(maxTokens >= 1)) throw refuse(`expected count and maxTokens of at least 1, got ${count} and ${maxTokens}`);
  if (!(temperature >= 0)) throw refuse(`expected a temperature of at least 0, got ${temperature}`);
}
