export type { WriteCheckpointOptions } from './engine/checkpoint/checkpoint.js';
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type EngineSampler,
  type ForwardBackwardInputs,
  type ForwardInputs,
} from './engine/create-engine.js';
export { createTokenSampler, createTrainingClient } from './engine/create-training-client.js';
export { type ModelConfig, SMALL_MODEL } from './engine/model/model-config.js';
export type { SampleRequest, TokenSequence } from './engine/sampling/sample-request.js';
export type { TrainingSequence } from './engine/training/batch-feeds.js';
export type { SequenceLogprobs } from './engine/training/trainer.js';
export { baseWeightsFile, type EmbeddedPolicy, type LoadBasePolicyOptions, loadBasePolicy, loadBaseRenderer } from './load-base-policy.js';
export { createRenderer } from './renderer/create-renderer.js';
export type { Fault, FaultPlan } from './server/faults.js';
export { type EngineServer, type ServeOptions, serveEngine } from './server/serve-engine.js';
export { createTokenizer, type Tokenizer } from './tokenizer/create-tokenizer.js';
export { type TokenizerData, tokenizerDataSchema } from './tokenizer/tokenizer-data.js';
export { trainTokenizer } from './tokenizer/train-tokenizer.js';
