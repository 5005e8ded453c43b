import { integers } from '../onnx/constants.js';
import { createGradientTape, type GradientTape } from '../onnx/gradient-tape.js';
import { createGraphBuilder, type GraphValue } from '../onnx/graph-builder.js';
import { fusedMatMul } from '../operators/fused-mat-mul.js';
import { linear, linearTransposed } from '../operators/linear.js';
import { rmsNorm } from '../operators/rms-norm.js';
import { type RotaryTables, rotary, rotaryTables } from '../operators/rotary.js';
import { logSoftmax } from '../operators/target-logprobs.js';
import type { ModelConfig } from './model-config.js';
import { feedForward, sequenceInputs, transformerPrefixes, type WeightInputs, weightInputs } from './transformer.js';

/**
 * The prefill graph. Feeds: every weight, `tokens` int32 [B·T], `sequenceShape`, `mask.c`, `lastRows` int32 [B], the
 * index into B·T of each prompt's last row. Fetches for each layer i: `key.i` [B, heads, headWidth, T], `value.i`
 * [B, heads, T, headWidth] and `hidden.i` [B, width], the normalised attention input at the last row.
 */
export function prefillGraph(config: ModelConfig): Uint8Array {
  const tape = createGradientTape(createGraphBuilder('prefill'));
  const weights = weightInputs(tape, config);
  const inputs = sequenceInputs(tape);
  const lastRows = tape.graph.input('lastRows', 'int32', 1);
  const embedded = embed(tape, weights, tape.graph.input('tokens', 'int32', 1));
  transformerPrefixes(tape, { config, weights, inputs, embedded }).forEach(({ key, value, hidden }, index) => {
    tape.graph.output(`key.${index}`, tape.emit('Transpose', [key], { attributes: { perm: [0, 1, 3, 2] } }));
    tape.graph.output(`value.${index}`, value);
    tape.graph.output(`hidden.${index}`, tape.emit('Gather', [hidden, lastRows], { attributes: { axis: { int: 0 } } }));
  });
  return tape.graph.encode();
}

/**
 * The decode graph: one token for each of B sequences. Feeds: every weight, `tokens` and `previousTokens` int32 [B],
 * `hasPrevious` [B, 1] (0 at the start of a sequence, else 1), `positions` int64 [B, 1], `cacheMask` [B, 1, 1, L] (0 where the cache is filled, −1e9 elsewhere), `inverseTemperature` [B, 1], and for
 * each layer i `cacheKey.i` [B, heads, headWidth, L], `cacheValue.i` [B, heads, L, headWidth] and `previous.i` [B, width]. Fetches:
 * `logprobs` [B, V] at temperature 1, `probabilities` [B, V] at the given temperature, and for each layer only the new
 * `key.i`, `value.i` [B, heads, 1, headWidth] and `hidden.i` [B, width]: the caller writes them into its cache.
 */
export function decodeGraph(config: ModelConfig): Uint8Array {
  const tape = createGradientTape(createGraphBuilder('decode'));
  const weights = weightInputs(tape, config);
  const step = decodeStep(tape, config, weights);
  let stream = enter(tape, weights);
  for (let index = 0; index < config.layers; index++) stream = feedForward(tape, weights, index, step(index, stream));
  const logits = linearTransposed(tape, rmsNorm(tape, stream, weights('norm')), weights('embedding'));
  const scaled = tape.emit('Mul', [logits, tape.graph.input('inverseTemperature', 'float32', 2)]);
  tape.graph.output('logprobs', logSoftmax(tape, logits));
  tape.graph.output('probabilities', tape.emit('Softmax', [scaled], { attributes: { axis: { int: -1 } } }));
  return tape.graph.encode();
}

function embed(tape: GradientTape, weights: WeightInputs, tokens: GraphValue): GraphValue {
  return tape.emit('Gather', [weights('embedding'), tokens], { attributes: { axis: { int: 0 } } });
}

/** The shifted embedding of one token a sequence; `hasPrevious` is 0 where no token came before. */
function enter(tape: GradientTape, weights: WeightInputs): GraphValue {
  const current = embed(tape, weights, tape.graph.input('tokens', 'int32', 1));
  const before = embed(tape, weights, tape.graph.input('previousTokens', 'int32', 1));
  const previous = tape.emit('Mul', [before, tape.graph.input('hasPrevious', 'float32', 2)]);
  return tape.emit('Add', [current, tape.emit('Mul', [tape.emit('Sub', [previous, current]), weights('shift')])]);
}

/** Attention of one new position a sequence to its cache and to itself; returns the residual stream [B, width]. */
function decodeStep(tape: GradientTape, config: ModelConfig, weights: WeightInputs) {
  const { width, heads, contextTokens } = config;
  const headWidth = width / heads;
  const positions = tape.graph.input('positions', 'int64', 2);
  const mask = tape.graph.input('cacheMask', 'float32', 4);
  const keyTables = rotaryTables(tape, { contextTokens, headWidth });
  // The score's scale sits in the rotation: the kernel for a product with one row takes no factor.
  const queryTables = rotaryTables(tape, { contextTokens, headWidth, scale: headWidth ** -0.5 });
  const rowShape = integers(tape.graph, [-1, width]);
  const headShape = integers(tape.graph, [-1, heads, 1, headWidth]);
  const [lastAxis, zero, minusOne, far] = [[3], [0], [-1], [2 ** 31]].map((values) => integers(tape.graph, values)) as [
    GraphValue,
    GraphValue,
    GraphValue,
    GraphValue,
  ];

  const toHeads = (rows: GraphValue) => tape.emit('Reshape', [rows, headShape]);
  const rotated = (rows: GraphValue, tables: RotaryTables) => rotary(tape, toHeads(rows), positions, tables);

  return (index: number, stream: GraphValue): GraphValue => {
    const weight = (part: string) => weights(`layers.${index}.attention.${part}`);
    const hidden = rmsNorm(tape, stream, weight('norm'));
    const previous = tape.graph.input(`previous.${index}`, 'float32', 2);
    const shifted = tape.emit('Add', [hidden, tape.emit('Mul', [tape.emit('Sub', [previous, hidden]), weight('keyShift')])]);
    const query = rotated(linear(tape, hidden, weight('query')), queryTables);
    const key = rotated(linear(tape, shifted, weight('key')), keyTables);
    const value = toHeads(linear(tape, hidden, weight('value')));

    const toCache = tape.emit('MatMul', [query, tape.graph.input(`cacheKey.${index}`, 'float32', 4)]);
    const toSelf = fusedMatMul(tape, query, key, { transposeRight: true });
    const scores = tape.emit('Concat', [tape.emit('Add', [toCache, mask]), toSelf], { attributes: { axis: { int: 3 } } });
    const probabilities = tape.emit('Softmax', [scores], { attributes: { axis: { int: -1 } } });
    const ofCache = tape.emit('Slice', [probabilities, zero, minusOne, lastAxis]);
    const ofSelf = tape.emit('Slice', [probabilities, minusOne, far, lastAxis]);
    const cached = tape.emit('MatMul', [ofCache, tape.graph.input(`cacheValue.${index}`, 'float32', 4)]);
    const attended = tape.emit('Add', [cached, tape.emit('Mul', [ofSelf, value])]);

    tape.graph.output(`key.${index}`, key);
    tape.graph.output(`value.${index}`, value);
    tape.graph.output(`hidden.${index}`, hidden);
    return tape.emit('Add', [stream, linear(tape, tape.emit('Reshape', [attended, rowShape]), weight('output'))]);
  };
}
