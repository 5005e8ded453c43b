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
  /**
   * Which trajectory a token belongs to: any whole number, the same for all tokens of one. A trajectory may have several
   * segments, so its tokens need not be neighbours. @default all tokens are one trajectory's
   */
  readonly trajectories?: Int32Array | readonly number[];
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
 * same loss where an engine has it itself, with a weight for each token: the engine adds its terms up, so the caller multiplies
 * advantages by the weights beforehand. The weight of a token is -gradient / advantage at `logprobs` = `rolloutLogprobs`, where
 * every ratio is 1 and nothing is masked.
 */
export type Loss = ((inputs: LossInputs) => LossOutput) & { readonly engineLoss?: EngineLoss };
