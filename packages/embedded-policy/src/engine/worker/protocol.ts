import type { WriteCheckpointOptions } from '../checkpoint/checkpoint.js';
import type { ModelConfig } from '../model/model-config.js';
import type { SampledSequence, SampleRequest } from '../sampling/sampler.js';
import type { AdamwOptions } from '../training/adamw.js';
import type { TrainingSequence } from '../training/batch-feeds.js';
import type { SequenceLogprobs } from '../training/trainer.js';

/** What a worker starts with. */
export interface WorkerStart {
  readonly config: ModelConfig;
  /** Flat initial weights. */
  readonly weights: Float32Array;
  readonly threads: number;
  readonly maxBatch: number;
  readonly tokenBudget: number;
}

/** What the worker can be asked: arguments and answer of each call. */
export interface WorkerCalls {
  forward(argument: { readonly sequences: readonly TrainingSequence[]; readonly masks?: readonly Uint8Array[] }): SequenceLogprobs[];
  forwardBackward(argument: { readonly sequences: readonly TrainingSequence[]; readonly logprobGradients: readonly Float32Array[] }): Float32Array[];
  optimStep(argument: AdamwOptions): { gradientNorm: number };
  saveState(argument: { readonly path: string }): void;
  saveWeights(argument: { readonly path: string } & WriteCheckpointOptions): void;
  loadState(argument: { readonly path: string }): void;
  readWeights(argument: undefined): Float32Array;
  createSampler(argument: undefined): { version: number };
  sample(argument: { readonly version: number; readonly request: SampleRequest }): SampledSequence[];
  disposeSampler(argument: { readonly version: number }): void;
  close(argument: undefined): void;
}

/** Name of a call. */
export type WorkerMethod = keyof WorkerCalls;

/** A call on its way to the worker. */
export type WorkerMessage = { [Method in WorkerMethod]: { readonly id: number; readonly method: Method; readonly argument: Parameters<WorkerCalls[Method]>[0] } }[WorkerMethod];

/** An answer on its way back; id 0 says that the worker is ready or could not start. */
export type WorkerReply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };
