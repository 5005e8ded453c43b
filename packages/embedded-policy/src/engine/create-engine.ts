import { readCheckpoint, type WriteCheckpointOptions } from './checkpoint/checkpoint.js';
import { initialiseWeights } from './model/initialise-weights.js';
import { assertModelConfig, type ModelConfig } from './model/model-config.js';
import { weightLayout } from './model/weight-layout.js';
import type { SampledSequence, SampleRequest } from './sampling/sampler.js';
import type { AdamwOptions } from './training/adamw.js';
import type { TrainingSequence } from './training/batch-feeds.js';
import type { SequenceLogprobs } from './training/trainer.js';
import { createWorkerClient } from './worker/worker-client.js';

/** A snapshot of the weights that samples. */
export interface EngineSampler {
  /** Counts the snapshots of this engine from 1. */
  readonly version: number;
  /** Samples continuations of one prompt; requests in flight share decode steps and do not affect each other. */
  sample(request: SampleRequest): Promise<SampledSequence[]>;
  /** Frees the snapshot; requests in flight are rejected. */
  dispose(): Promise<void>;
}

/** Arguments of {@link Engine.forward}. */
export interface ForwardInputs {
  readonly sequences: readonly TrainingSequence[];
  /** [T] a sequence, non-zero where the log-probability is wanted. @default everywhere */
  readonly masks?: readonly Uint8Array[];
}

/** Arguments of {@link Engine.forwardBackward}. */
export interface ForwardBackwardInputs {
  readonly sequences: readonly TrainingSequence[];
  /** [T] a sequence: ∂loss/∂(current log-probability of the target); −1/N everywhere is mean cross entropy. */
  readonly logprobGradients: readonly Float32Array[];
}

/** A transformer that trains and samples on the CPU, in a thread of its own. Calls are served in order. */
export interface Engine {
  readonly config: ModelConfig;
  /** Log-probabilities and entropies of the targets under the current weights. */
  forward(inputs: ForwardInputs): Promise<SequenceLogprobs[]>;
  /** Adds to the accumulated gradient; returns the log-probabilities [T] a sequence, NaN where the gradient is zero. */
  forwardBackward(inputs: ForwardBackwardInputs): Promise<Float32Array[]>;
  /** Applies the accumulated gradient with AdamW and zeroes it; skips the update when the norm is not finite. */
  optimStep(options: AdamwOptions): Promise<{ gradientNorm: number }>;
  /** Writes weights and optimizer state to one safetensors file, atomically. */
  saveState(path: string): Promise<void>;
  /** Restores what `saveState` wrote; the accumulated gradient is dropped. */
  loadState(path: string): Promise<void>;
  /** Writes the weights alone, for shipping. */
  saveWeights(path: string, options?: WriteCheckpointOptions): Promise<void>;
  /** A copy of the current weights, flat in the order of the layout. */
  readWeights(): Promise<Float32Array>;
  /** Snapshots the current weights for sampling. */
  createSampler(): Promise<EngineSampler>;
  /** Ends the thread; idempotent. */
  close(): Promise<void>;
}

/** Options of {@link createEngine}. */
export interface EngineOptions {
  /** Sizes of the model; read from the file when `weights` is a path. */
  readonly config?: ModelConfig;
  /** A checkpoint file (its weights are taken), or flat weights in the order of the layout. @default fresh ones */
  readonly weights?: string | Float32Array;
  /** Seed of fresh weights. @default 0 */
  readonly seed?: number;
  /** Threads of a training step; sampling uses one. @default 2 */
  readonly threads?: number;
  /** Most sequences decoded together. @default 64 */
  readonly maxBatch?: number;
  /** Most padded tokens of one training pass; bounds memory. @default 2048 */
  readonly tokenBudget?: number;
  /** Closes the engine when aborted. */
  readonly signal?: AbortSignal;
}

/** Starts an engine. Throws when the options disagree, a checkpoint is malformed or ONNX Runtime is missing. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { threads = 2, maxBatch = 64, tokenBudget = 2048, signal } = options;
  signal?.throwIfAborted();
  const { config, weights } = await initialModel(options);
  const client = await createWorkerClient({ config, weights, threads, maxBatch, tokenBudget });
  const close = () => client.close(new Error('the engine was closed'));
  signal?.addEventListener('abort', () => void close(), { once: true });

  return {
    config,
    forward: (inputs) => client.call('forward', inputs),
    forwardBackward: (inputs) => client.call('forwardBackward', inputs),
    optimStep: (step) => client.call('optimStep', step),
    saveState: (path) => client.call('saveState', { path }),
    loadState: (path) => client.call('loadState', { path }),
    saveWeights: (path, write = {}) => client.call('saveWeights', { path, ...write }),
    readWeights: () => client.call('readWeights', undefined),
    async createSampler() {
      const { version } = await client.call('createSampler', undefined);
      return {
        version,
        sample: (request) => client.call('sample', { version, request }),
        dispose: () => client.call('disposeSampler', { version }),
      };
    },
    close,
  };
}

async function initialModel({ config, weights, seed = 0 }: EngineOptions): Promise<{ config: ModelConfig; weights: Float32Array }> {
  if (typeof weights === 'string') {
    const checkpoint = await readCheckpoint(weights);
    if (config !== undefined && JSON.stringify(config) !== JSON.stringify(checkpoint.config)) {
      throw new Error(`checkpoint ${weights}: expected a model of ${JSON.stringify(config)}, got ${JSON.stringify(checkpoint.config)}; leave config out to take the file's`);
    }
    return checkpoint;
  }
  if (config === undefined) throw new Error('createEngine: expected a config or a checkpoint path in weights, got neither');
  assertModelConfig(config);
  const { length } = weightLayout(config);
  if (weights !== undefined && weights.length !== length) throw new Error(`createEngine: expected ${length} weights for this config, got ${weights.length}`);
  return { config, weights: weights?.slice() ?? initialiseWeights(config, seed) };
}
