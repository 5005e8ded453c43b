import { integers } from '../onnx/constants.js';
import { createGradientTape, type GradientTape } from '../onnx/gradient-tape.js';
import { createGraphBuilder, type GraphValue } from '../onnx/graph-builder.js';
import { linearTransposed } from '../operators/linear.js';
import { rmsNorm } from '../operators/rms-norm.js';
import { selectRows } from '../operators/select-rows.js';
import { logSoftmax, targetLogprobs } from '../operators/target-logprobs.js';
import type { ModelConfig } from './model-config.js';
import { sequenceInputs, transformer, weightInputs } from './transformer.js';
import { weightLayout } from './weight-layout.js';

/** Name of the output with ∂loss/∂(embedded input tokens) [N, width]; its scatter into the table happens outside. */
export const EMBEDDED_GRADIENT = 'gradient.embedded';

/** Name of the output that holds a weight's gradient. */
export function gradientName(weight: string): string {
  return `gradient.${weight}`;
}

/**
 * The forward graph. Feeds: every weight, `tokens` int32 [N = B·T], `sequenceShape`, `mask.c`, `rows` int32 [R],
 * `targets` int32 [R, 1]. Fetches: `logprobs` [R, 1] and `entropy` [R] of the distribution at each chosen row, in nats.
 */
export function forwardGraph(config: ModelConfig): Uint8Array {
  const tape = createGradientTape(createGraphBuilder('forward'));
  const { chosen, logprobs } = policyHead(tape, config);
  const plogp = tape.emit('Mul', [tape.emit('Exp', [logprobs]), logprobs]);
  const negativeEntropy = tape.emit('ReduceSum', [plogp, integers(tape.graph, [1])], { attributes: { keepdims: { int: 0 } } });
  tape.graph.output('logprobs', chosen);
  tape.graph.output('entropy', tape.emit('Neg', [negativeEntropy]));
  return tape.graph.encode();
}

/**
 * The forward and backward graph. Feeds: those of {@link forwardGraph}, `inverseRows` int32 [N] and `gradient` [R, 1],
 * ∂loss/∂logprob of each chosen row. Fetches: `logprobs` [R, 1], the gradient of every weight (that of the embedding
 * counts the output side only) and {@link EMBEDDED_GRADIENT}.
 */
export function trainingGraph(config: ModelConfig): Uint8Array {
  const tape = createGradientTape(createGraphBuilder('training'));
  const { chosen, weights, embedded } = policyHead(tape, config, tape.graph.input('inverseRows', 'int32', 1));
  const gradients = tape.backward(new Map([[chosen, tape.graph.input('gradient', 'float32', 2)]]));
  tape.graph.output('logprobs', chosen);
  tape.graph.output(EMBEDDED_GRADIENT, gradients(embedded));
  for (const { name } of weightLayout(config).slots) tape.graph.output(gradientName(name), gradients(weights(name)));
  return tape.graph.encode();
}

function policyHead(tape: GradientTape, config: ModelConfig, inverse?: GraphValue) {
  const weights = weightInputs(tape, config);
  const inputs = sequenceInputs(tape);
  const tokens = tape.graph.input('tokens', 'int32', 1);
  const selection = { rows: tape.graph.input('rows', 'int32', 1), ...(inverse && { inverse }) };
  const targets = tape.graph.input('targets', 'int32', 2);

  const embedded = tape.emit('Gather', [weights('embedding'), tokens], { attributes: { axis: { int: 0 } } });
  const stream = transformer(tape, { config, weights, inputs, embedded });
  const rows = rmsNorm(tape, selectRows(tape, stream, selection, config.width), weights('norm'));
  const logits = linearTransposed(tape, rows, weights('embedding'));
  const logprobs = logSoftmax(tape, logits);
  return { weights, embedded, logprobs, chosen: targetLogprobs(tape, logits, logprobs, targets) };
}
