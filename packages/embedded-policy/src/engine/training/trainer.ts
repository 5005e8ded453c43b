import type { OptimizerSettings } from '@tadpole/contracts';
import type { Tensor } from 'onnxruntime-node';
import type { GraphSession, OnnxRuntime } from '../load-runtime.js';
import type { ModelConfig } from '../model/model-config.js';
import { createSequenceFeeds } from '../model/sequence-feeds.js';
import { EMBEDDED_GRADIENT, forwardGraph, gradientName, trainingGraph } from '../model/training-graphs.js';
import { weightFeeds } from '../model/weight-feeds.js';
import { weightLayout } from '../model/weight-layout.js';
import { type AdamwState, adamwStep, createAdamwState } from './adamw.js';
import { assertPerToken, assertSequences, type BatchFeeds, batchFeeds, type TrainingSequence } from './batch-feeds.js';
import { type MicroBatch, planMicroBatches } from './micro-batches.js';

/** Log-probability and entropy of each target token. */
export interface SequenceLogprobs {
  /** [T], nats; NaN where the position was not asked for. */
  readonly logprobs: Float32Array;
  /** [T], entropy of the model's distribution at each position, nats; NaN likewise. */
  readonly entropy: Float32Array;
}

/** The training half of the engine, on the thread that calls it. */
export interface Trainer {
  /** Current weights, flat in the order of the layout. */
  readonly weights: Float32Array;
  readonly optimizer: AdamwState;
  /** Log-probabilities under the current weights; `masks` [T] limits the positions (non-zero: wanted). */
  forward(sequences: readonly TrainingSequence[], masks?: readonly Uint8Array[]): Promise<SequenceLogprobs[]>;
  /**
   * Adds to the gradient of every weight the effect of `logprobGradients`, ∂loss/∂logprob of each target, [T] a
   * sequence. Returns the log-probabilities, NaN where the gradient is zero.
   */
  forwardBackward(sequences: readonly TrainingSequence[], logprobGradients: readonly Float32Array[]): Promise<Float32Array[]>;
  /** Applies the accumulated gradient and zeroes it. */
  optimStep(settings: OptimizerSettings): { gradientNorm: number };
  /** The accumulated gradient, flat; zero after a step. */
  readonly gradient: Float32Array;
  /** Replaces weights and optimizer state (fresh when not given) and drops the gradient. */
  restore(weights: Float32Array, optimizer?: AdamwState): void;
}

/** Options of {@link createTrainer}. */
export interface TrainerOptions {
  readonly runtime: OnnxRuntime;
  readonly config: ModelConfig;
  /** Initial weights; the trainer owns and changes them. */
  readonly weights: Float32Array;
  readonly threads: number;
  /** Most padded tokens of one pass; bounds memory. */
  readonly tokenBudget: number;
}

/** Creates a trainer; its graphs are built on first use. Equal calls give bit-equal results at equal `threads`. */
export function createTrainer({ runtime, config, weights, threads, tokenBudget }: TrainerOptions): Trainer {
  const layout = weightLayout(config);
  const gradient = new Float32Array(layout.length);
  const optimizer = createAdamwState(layout.length);
  const sequenceFeeds = createSequenceFeeds(runtime, config);
  const sessions: { forward?: Promise<GraphSession>; training?: Promise<GraphSession> } = {};

  const shared = weightFeeds(runtime, config, weights);

  function feeds(feeds: BatchFeeds, { indices, length }: MicroBatch): Record<string, Tensor> {
    return {
      ...shared,
      ...sequenceFeeds(indices.length, length),
      tokens: new runtime.Tensor('int32', feeds.tokens, [feeds.tokens.length]),
      rows: new runtime.Tensor('int32', feeds.rows, [feeds.rows.length]),
      targets: new runtime.Tensor('int32', feeds.targets, [feeds.targets.length, 1]),
    };
  }

  function accumulate(outputs: Readonly<Record<string, Tensor>>, tokens: Int32Array): void {
    for (const slot of layout.slots) {
      const part = outputs[gradientName(slot.name)]!.data as Float32Array;
      for (let index = 0; index < slot.length; index++) gradient[slot.offset + index]! += part[index]!;
    }
    const embedded = outputs[EMBEDDED_GRADIENT]!.data as Float32Array;
    const { width } = config;
    for (let row = 0; row < tokens.length; row++) {
      const start = tokens[row]! * width;
      for (let channel = 0; channel < width; channel++) gradient[start + channel]! += embedded[row * width + channel]!;
    }
  }

  const emptyRows = (sequences: readonly TrainingSequence[]) =>
    sequences.map(({ inputs }) => new Float32Array(inputs.length).fill(Number.NaN));
  const plan = (sequences: readonly TrainingSequence[]) =>
    planMicroBatches(
      sequences.map(({ inputs }) => inputs.length),
      tokenBudget,
    );

  return {
    weights,
    optimizer,
    gradient,
    async forward(sequences, wanted) {
      assertSequences(sequences, config);
      if (wanted !== undefined) assertPerToken('masks', wanted, sequences);
      sessions.forward ??= runtime.createSession(forwardGraph(config), { threads });
      const session = await sessions.forward;
      const logprobs = emptyRows(sequences);
      const entropy = emptyRows(sequences);
      for (const batch of plan(sequences)) {
        const laid = batchFeeds(sequences, batch, ({ sequence, position }) => wanted === undefined || wanted[sequence]![position] !== 0);
        if (laid.rows.length === 0) continue;
        const outputs = await session.run(feeds(laid, batch));
        scatterRows(outputs.logprobs!.data as Float32Array, laid, logprobs);
        scatterRows(outputs.entropy!.data as Float32Array, laid, entropy);
      }
      return logprobs.map((row, index) => ({ logprobs: row, entropy: entropy[index]! }));
    },
    async forwardBackward(sequences, logprobGradients) {
      assertSequences(sequences, config);
      assertPerToken('logprobGradients', logprobGradients, sequences);
      sessions.training ??= runtime.createSession(trainingGraph(config), { threads });
      const session = await sessions.training;
      const logprobs = emptyRows(sequences);
      for (const batch of plan(sequences)) {
        const laid = batchFeeds(sequences, batch, ({ sequence, position }) => logprobGradients[sequence]![position] !== 0);
        if (laid.rows.length === 0) continue;
        const slopes = Float32Array.from(laid.origins, ({ sequence, position }) => logprobGradients[sequence]![position]!);
        const outputs = await session.run({
          ...feeds(laid, batch),
          inverseRows: new runtime.Tensor('int32', laid.inverseRows, [laid.inverseRows.length]),
          gradient: new runtime.Tensor('float32', slopes, [slopes.length, 1]),
        });
        accumulate(outputs, laid.tokens);
        scatterRows(outputs.logprobs!.data as Float32Array, laid, logprobs);
      }
      return logprobs;
    },
    optimStep(settings) {
      const result = adamwStep({ layout, weights, gradient, state: optimizer }, settings);
      gradient.fill(0);
      return result;
    },
    restore(newWeights, state = createAdamwState(layout.length)) {
      weights.set(newWeights);
      optimizer.first.set(state.first);
      optimizer.second.set(state.second);
      optimizer.step = state.step;
      gradient.fill(0);
    },
  };
}

function scatterRows(values: Float32Array, { origins }: BatchFeeds, into: readonly Float32Array[]): void {
  origins.forEach(({ sequence, position }, index) => {
    into[sequence]![position] = values[index]!;
  });
}
