import { availableParallelism } from 'node:os';
import { type OptimizerSettings, TadpoleError } from '@tadpole/contracts';
import { assertSameModel, readCheckpoint, type WriteCheckpointOptions } from './checkpoint/checkpoint.js';
import { initialiseWeights } from './model/initialise-weights.js';
import { assertModelConfig, type ModelConfig } from './model/model-config.js';
import { weightLayout } from './model/weight-layout.js';
import type { SampleRequest, TokenSequence } from './sampling/sample-request.js';
import type { TrainingSequence } from './training/batch-feeds.js';
import type { SequenceLogprobs } from './training/trainer.js';
import { createWorkerClient } from './worker/worker-client.js';

/** A snapshot of the weights that samples. */
export interface EngineSampler {
  /** Counts the snapshots of this engine from 1. */
  readonly version: number;
  /** First 16 hexadecimal digits of the weights' SHA-256: equal weights, equal hash. */
  readonly weightsHash: string;
  /** Samples continuations of one prompt; requests in flight share decode steps and do not affect each other. */
  sample(request: SampleRequest, signal?: AbortSignal): Promise<TokenSequence[]>;
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

/**
 * A transformer that trains and samples on the CPU, in a process of its own. Calls are served in order; equal calls give
 * equal bits at an equal number of threads.
 */
export interface Engine {
  readonly config: ModelConfig;
  /** Log-probabilities and entropies of the targets under the current weights. */
  forward(inputs: ForwardInputs, signal?: AbortSignal): Promise<SequenceLogprobs[]>;
  /**
   * Adds to the accumulated gradient; returns the log-probabilities [T] a sequence, NaN where the gradient is zero. When
   * aborted, its gradient may or may not have been added.
   */
  forwardBackward(inputs: ForwardBackwardInputs, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Applies the accumulated gradient with AdamW and zeroes it; skips the update when the norm is not finite. */
  optimStep(settings: OptimizerSettings, signal?: AbortSignal): Promise<{ gradientNorm: number }>;
  /** Writes weights and optimizer state to one safetensors file, atomically. */
  saveState(path: string): Promise<void>;
  /**
   * Restores what `saveState` wrote; the accumulated gradient is dropped. `optimizer: false` takes the weights alone and
   * resets the moments. @default optimizer true
   */
  loadState(path: string, options?: { readonly optimizer?: boolean }): Promise<void>;
  /** Writes the weights alone, for shipping. */
  saveWeights(path: string, options?: WriteCheckpointOptions): Promise<void>;
  /** A copy of the current weights, flat in the order of the layout. */
  readWeights(): Promise<Float32Array>;
  /** Snapshots the current weights for sampling. */
  createSampler(): Promise<EngineSampler>;
  /** Ends the process; idempotent. */
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
  /** Threads of a training step; sampling uses one. @default 2, or 1 where there is one processor */
  readonly threads?: number;
  /** Most sequences decoded together. @default 64 */
  readonly maxBatch?: number;
  /** Most padded tokens of one training pass; bounds memory. @default 2048 */
  readonly tokenBudget?: number;
  /** Closes the engine when aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Starts an engine. Throws `invalid-config` when the options disagree, `invalid-input` for a malformed checkpoint and
 * `missing-dependency` without ONNX Runtime.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { threads = Math.min(2, availableParallelism()), maxBatch = 64, tokenBudget = 2048, signal } = options;
  signal?.throwIfAborted();
  const { config, weights } = await initialModel(options);
  const client = await createWorkerClient({ config, weights, threads, maxBatch, tokenBudget });
  signal?.addEventListener('abort', () => void client.close(), { once: true });

  return {
    config,
    forward: (batch, callSignal) => client.call('forward', batch, callSignal),
    forwardBackward: (batch, callSignal) => client.call('forwardBackward', batch, callSignal),
    optimStep: (settings, callSignal) => client.call('optimStep', settings, callSignal),
    saveState: (path) => client.call('saveState', { path }),
    loadState: (path, { optimizer = true } = {}) => client.call('loadState', { path, optimizer }),
    saveWeights: (path, write = {}) => client.call('saveWeights', { path, ...write }),
    readWeights: () => client.call('readWeights', undefined),
    async createSampler() {
      const { version, weightsHash } = await client.call('createSampler', undefined);
      return {
        version,
        weightsHash,
        sample: (request, callSignal) => client.call('sample', { version, request }, callSignal),
        dispose: () => client.call('disposeSampler', { version }),
      };
    },
    close: client.close,
  };
}

async function initialModel({ config, weights, seed = 0 }: EngineOptions): Promise<{ config: ModelConfig; weights: Float32Array }> {
  if (typeof weights === 'string') {
    const checkpoint = await readCheckpoint(weights);
    if (config !== undefined) assertSameModel(weights, checkpoint.config, config);
    return checkpoint;
  }
  const refuse = (message: string) => new TadpoleError({ code: 'invalid-config', message: `createEngine: ${message}` });
  if (config === undefined) throw refuse('expected a config, or the path of a checkpoint as weights; got neither');
  assertModelConfig(config);
  const { length } = weightLayout(config);
  if (weights !== undefined && weights.length !== length) throw refuse(`expected ${length} weights for this config, got ${weights.length}`);
  return { config, weights: weights?.slice() ?? initialiseWeights(config, seed) };
}
