import type { EngineLoss } from './training-client.js';

/** What a loss reads about T tokens of one batch; all arrays are [T]. */
export interface LossInputs {
  /** log p(token) under the current weights, in nats. */
  readonly logprobs: Float32Array | readonly number[];
  /** log q(token) as the sampler recorded it (never recomputed). */
  readonly rolloutLogprobs: Float32Array | readonly number[];
  /** How much better than its group the rollout of this token was; constant under the gradient. */
  readonly advantages: Float32Array | readonly number[];
  /** 1 where the token is trained on, else 0. */
  readonly mask: Float32Array | readonly number[];
}

/** Value, gradient and metrics of a loss. */
export interface LossOutput {
  /** The value whose derivative `gradient` is; smaller is better. */
  readonly loss: number;
  /** dLoss/d(logprobs) [T]; exactly 0 wherever `mask` is 0 or the loss masks the token. */
  readonly gradient: Float64Array;
  /** Named numbers for people: means over trained tokens unless the name says otherwise. */
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * A loss is one pure function, minimised; any engine that takes a gradient on log-probabilities can use it. `engineLoss` is the
 * same loss where an engine has it itself, up to the denominator, which the caller divides advantages by.
 */
export type Loss = ((inputs: LossInputs) => LossOutput) & { readonly engineLoss?: EngineLoss };
