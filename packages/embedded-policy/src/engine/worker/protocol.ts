import type { OptimizerSettings, TadpoleErrorCode } from '@tadpole/contracts';
import type { WriteCheckpointOptions } from '../checkpoint/checkpoint.js';
import type { ModelConfig } from '../model/model-config.js';
import type { SampleRequest, TokenSequence } from '../sampling/sample-request.js';
import type { TrainingSequence } from '../training/batch-feeds.js';
import type { SequenceLogprobs } from '../training/trainer.js';

/** What a worker starts with. */
export interface WorkerStart {
  readonly config: ModelConfig;
  /** Flat initial weights. */
  readonly weights: Float32Array;
  /** Threads of a training step. */
  readonly threads: number;
  /** Most sequences decoded together. */
  readonly maxBatch: number;
  /** Most padded tokens of one training pass. */
  readonly tokenBudget: number;
}

/** What the worker can be asked: argument and answer of each call. */
export interface WorkerCalls {
  forward(argument: { readonly sequences: readonly TrainingSequence[]; readonly masks?: readonly Uint8Array[] }): SequenceLogprobs[];
  forwardBackward(argument: {
    readonly sequences: readonly TrainingSequence[];
    readonly logprobGradients: readonly Float32Array[];
  }): Float32Array[];
  optimStep(argument: OptimizerSettings): { gradientNorm: number };
  saveState(argument: { readonly path: string }): void;
  saveWeights(argument: { readonly path: string } & WriteCheckpointOptions): void;
  loadState(argument: { readonly path: string; readonly optimizer: boolean }): void;
  readWeights(argument: undefined): Float32Array;
  createSampler(argument: undefined): { version: number; weightsHash: string };
  sample(argument: { readonly version: number; readonly request: SampleRequest }): TokenSequence[];
  disposeSampler(argument: { readonly version: number }): void;
  close(argument: undefined): void;
}

/** Name of a call. */
export type WorkerMethod = keyof WorkerCalls;

/** Argument of a call. */
export type WorkerArgument<Method extends WorkerMethod> = Parameters<WorkerCalls[Method]>[0];

/** A call on its way to the worker. */
export interface WorkerCall<Method extends WorkerMethod = WorkerMethod> {
  readonly id: number;
  readonly method: Method;
  readonly argument: WorkerArgument<Method>;
}

/** What the worker starts with, a call, or the wish to end call `cancel` early. */
export type WorkerMessage = { readonly start: WorkerStart } | WorkerCall | { readonly cancel: number };

/** An error in transit. */
export interface WorkerFailure {
  readonly code: TadpoleErrorCode;
  readonly message: string;
}

/** An answer on its way back; id 0 says that the worker is ready or could not start. */
export type WorkerReply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly failure: WorkerFailure };
