import type { Sampling } from './sampling.js';

/** One sampled continuation: ids [T] with the log-probability [T] of each under the sampler, in nats. */
export interface SampledSequence {
  /** Includes the stop token when one ended the sequence. */
  readonly ids: readonly number[];
  /** log q(id) at temperature 1 over the full vocabulary. Same length as `ids`. */
  readonly logprobs: readonly number[];
  /** `stop`: a stop id was drawn; `length`: `maxTokens` or the context was reached first. */
  readonly stopReason: 'stop' | 'length';
}

/**
 * Token in, token out. What it returns is what a trainer trains on: nothing is decoded and encoded again.
 * The result for a seed does not depend on what else the sampler is doing.
 */
export interface Sampler {
  /** Draws `count` continuations of `prompt` [T]; sequence i uses the stream (`sampling.seed`, i).
   * @throws TadpoleError `engine`, `invalid-input` (prompt longer than the context) or `aborted`. */
  sample(options: {
    prompt: readonly number[];
    count: number;
    sampling: Sampling;
    stopIds: readonly number[];
    signal?: AbortSignal;
  }): Promise<readonly SampledSequence[]>;
  /** Changes whenever the weights change; recorded with every token. */
  readonly weightsVersion: string;
  /** Longest prompt plus continuation, in tokens. */
  readonly contextTokens: number;
}
