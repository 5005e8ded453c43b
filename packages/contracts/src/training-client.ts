import type { Sampler } from './sampler.js';

/**
 * One training sequence after the client-side shift: `targets[t]` is the token that follows
 * `inputs[t]`; both [T] (tinker-protocol.md section 1.5).
 */
export interface Datum {
  readonly inputs: Int32Array;
  readonly targets: Int32Array;
}

/** What the engine computed for one datum; arrays are [T]. */
export interface DatumForward {
  /** log p(targets[t]) under the current weights, in nats. */
  readonly logprobs: Float32Array;
  /** Entropy of the next-token distribution at t, in nats, where the engine computes it. */
  readonly entropy?: Float32Array;
}

/** AdamW settings. FrogNano: lr 1e-6 constant, beta (0.9, 0.98), weight decay 0.1, clip 1.0 (arXiv 2609.07925, Table 2). */
export interface OptimizerSettings {
  readonly learningRate: number;
  /** @default 0.9 */
  readonly beta1?: number;
  /** @default 0.98 */
  readonly beta2?: number;
  /** @default 1e-8 */
  readonly epsilon?: number;
  /** @default 0.1 */
  readonly weightDecay?: number;
  /** Largest global gradient norm; 0 switches clipping off. @default 1 */
  readonly gradientClip?: number;
}

/** A loss that an engine computes itself, under the Tinker protocol's name for it (tinker-protocol.md section 1.5). */
export interface EngineLoss {
  /** For instance `dppo`, `ppo`, `cispo` or `importance_sampling`. */
  readonly name: string;
  /** The loss's own numbers, for instance `delta_low`; always sent whole, since servers differ in their defaults. */
  readonly config: Readonly<Record<string, number>>;
}

/** What an engine's own loss reads about one datum; arrays are [T] like its targets. */
export interface EngineLossInputs {
  /** log q as the sampler recorded it; 0 where nothing was sampled. */
  readonly rolloutLogprobs: Float32Array;
  /** 0 where nothing is trained. The engine adds the terms up, so that a mean is the caller's division. */
  readonly advantages: Float32Array | Float64Array;
}

/** What an engine can do; asked before the loop relies on it. */
export interface TrainingCapabilities {
  readonly engine: string;
  /** Longest datum, in tokens. */
  readonly contextTokens: number;
  /** Absent where the engine does not tell. */
  readonly vocabularySize?: number;
  /** Number of trained parameters; absent where the engine does not tell. */
  readonly parameters?: number;
  /** Takes any gradient on log-probabilities (client-side losses). */
  readonly customLoss: boolean;
  /** Fills `DatumForward.entropy`. */
  readonly entropy: boolean;
  /** The same calls give the same bits. */
  readonly deterministic: boolean;
  /** Names of the losses for `forwardBackwardLoss`. @default none */
  readonly losses?: readonly string[];
  /** Settings of `optimStep` that the engine takes; it has its own for the others. @default all */
  readonly optimizerSettings?: readonly (keyof OptimizerSettings)[];
  /** A sampler stays as it was made while training goes on, and making or using one never changes the weights. @default true */
  readonly samplerIsSnapshot?: boolean;
}

/**
 * An engine that trains, in Tinker's vocabulary. Gradients of successive `forwardBackward` calls add up
 * until `optimStep`. Calls are carried out in the order in which they are made, so that one may be made before the answer to
 * the one before has come. All methods throw TadpoleError `engine`, `invalid-input` or `aborted`.
 */
export interface TrainingClient {
  /** Log-probabilities of every datum's targets under the current weights; changes no state. One result a datum, in order. */
  forward(options: { data: readonly Datum[]; signal?: AbortSignal }): Promise<readonly DatumForward[]>;
  /**
   * Adds the gradient of sum over data and t of `gradients[i][t] * logprob[i][t]`; `gradients[i]` is [T] like its datum. `logprobs`
   * is what `forward` gave under the current weights: an engine that takes no gradient, but only losses of its own, needs it.
   */
  forwardBackward(options: {
    data: readonly Datum[];
    gradients: readonly (Float32Array | Float64Array)[];
    logprobs?: readonly Float32Array[];
    signal?: AbortSignal;
  }): Promise<readonly DatumForward[]>;
  /** Adds the gradient of a loss of the engine's own, summed over data and t. Absent where `capabilities` lists no losses. */
  forwardBackwardLoss?(options: {
    data: readonly Datum[];
    loss: EngineLoss;
    inputs: readonly EngineLossInputs[];
    signal?: AbortSignal;
  }): Promise<readonly DatumForward[]>;
  /** One AdamW step with the accumulated gradient, which it clears. `gradientNorm` is before clipping; absent where the engine does not tell. */
  optimStep(settings: OptimizerSettings & { signal?: AbortSignal }): Promise<{ gradientNorm?: number }>;
  /** Writes weights and optimizer state to a folder, atomically. */
  saveState(directory: string): Promise<void>;
  /** Restores what `saveState` wrote. `optimizer: false` loads the weights alone and resets the moments. @default optimizer true */
  loadState(directory: string, options?: { optimizer?: boolean }): Promise<void>;
  /** A frozen sampler of the current weights, with a new `weightsVersion`. */
  createSampler(): Promise<Sampler>;
  /** What this engine can do, with its sizes. */
  capabilities(): Promise<TrainingCapabilities>;
}
