import { integers } from '../onnx/constants.js';
import { createGradientTape, type GradientTape } from '../onnx/gradient-tape.js';
import { createGraphBuilder, type GraphValue } from '../onnx/graph-builder.js';
import { fusedMatMul } from '../operators/fused-mat-mul.js';
import { innerParts, partedLinear, partedLinearTransposed } from '../operators/parted-linear.js';
import { rmsNorm } from '../operators/rms-norm.js';
import { type RotaryTables, rotary, rotaryTables } from '../operators/rotary.js';
import { swiglu } from '../operators/swiglu.js';
import { logSoftmax } from '../operators/target-logprobs.js';
import { type LoadedWeights, loadedWeights } from './loaded-weights.js';
import type { ModelConfig } from './model-config.js';

/**
 * The decode graph: one token for each of B sequences. It is loaded with the flat weights: as constants they are packed for
 * the matrix kernels once, as feeds they were at every step, which took three quarters of it for a single sequence. Feeds:
 * `tokens` and `previousTokens` int32 [B], `hasPrevious` [B, 1] (0 at the start of a sequence, else 1), `positions` int64
 * [B, 1], `cacheMask` [B, 1, 1, L] (0 where the cache is filled, −1e9 elsewhere), `inverseTemperature` [B, 1], and for each
 * layer i `cacheKey.i` [B, heads, L / 64, headWidth, 64], `cacheValue.i` [B, heads, L, headWidth] and `previous.i` [B, width].
 * Fetches: `logprobs` [B, V] at temperature 1, `probabilities` [B, V] at the given temperature, and for each layer only the
 * new `key.i`, `value.i` [B, heads, 1, headWidth] and `hidden.i` [B, width]: the caller writes them into its cache.
 */
export function decodeGraph(config: ModelConfig): Uint8Array {
  const tape = createGradientTape(createGraphBuilder('decode'));
  const weights = loadedWeights(tape, config);
  const step = decodeStep(tape, config, weights);
  let stream = enter(tape, weights);
  for (let index = 0; index < config.layers; index++) stream = feedForward(tape, { config, weights, index }, step(index, stream));
  const logits = partedLinearTransposed(tape, innerParts(tape, rmsNorm(tape, stream, weights.vector('norm')), config.width), weights.table);
  const scaled = tape.emit('Mul', [logits, tape.graph.input('inverseTemperature', 'float32', 2)]);
  tape.graph.output('logprobs', logSoftmax(tape, logits));
  tape.graph.output('probabilities', tape.emit('Softmax', [scaled], { attributes: { axis: { int: -1 } } }));
  return tape.graph.encode();
}

/** The shifted embedding of one token a sequence; `hasPrevious` is 0 where no token came before. */
function enter(tape: GradientTape, weights: LoadedWeights): GraphValue {
  const embed = (tokens: GraphValue) => tape.emit('Gather', [weights.table, tokens], { attributes: { axis: { int: 0 } } });
  const current = embed(tape.graph.input('tokens', 'int32', 1));
  const before = embed(tape.graph.input('previousTokens', 'int32', 1));
  const previous = tape.emit('Mul', [before, tape.graph.input('hasPrevious', 'float32', 2)]);
  return shifted(tape, current, previous, weights.vector('shift'));
}

/** (1 − mix) current + mix previous. */
function shifted(tape: GradientTape, current: GraphValue, previous: GraphValue, mix: GraphValue): GraphValue {
  return tape.emit('Add', [current, tape.emit('Mul', [tape.emit('Sub', [previous, current]), mix])]);
}

/** The gated feed-forward block of a layer with its residual, on rows [B, width]. */
function feedForward(
  tape: GradientTape,
  { config, weights, index }: { readonly config: ModelConfig; readonly weights: LoadedWeights; readonly index: number },
  stream: GraphValue,
): GraphValue {
  const name = (part: string) => `layers.${index}.feedForward.${part}`;
  const hidden = innerParts(tape, rmsNorm(tape, stream, weights.vector(name('norm'))), config.width);
  const [gate, up] = [name('gate'), name('up')].map((matrix) => partedLinear(tape, hidden, weights.matrix(matrix))) as [
    GraphValue,
    GraphValue,
  ];
  const inner = innerParts(tape, swiglu(tape, gate, up), config.feedForward);
  return tape.emit('Add', [stream, partedLinear(tape, inner, weights.matrix(name('down')))]);
}

/** Attention of one new position a sequence to its cache and to itself; returns the residual stream [B, width]. */
function decodeStep(tape: GradientTape, config: ModelConfig, weights: LoadedWeights) {
  const { width, heads, contextTokens } = config;
  const headWidth = width / heads;
  const positions = tape.graph.input('positions', 'int64', 2);
  const mask = tape.graph.input('cacheMask', 'float32', 4);
  const keyTables = rotaryTables(tape, { contextTokens, headWidth });
  // The score's scale sits in the rotation: the kernel for a product with one row takes no factor.
  const queryTables = rotaryTables(tape, { contextTokens, headWidth, scale: headWidth ** -0.5 });
  const rowShape = integers(tape.graph, [-1, width]);
  const queryShape = integers(tape.graph, [0, 0, 1, 1, headWidth]);
  const scoreShape = integers(tape.graph, [0, 0, 1, -1]);
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
    const name = (part: string) => `layers.${index}.attention.${part}`;
    const project = (rows: readonly GraphValue[], part: string) => partedLinear(tape, rows, weights.matrix(name(part)));
    const hidden = rmsNorm(tape, stream, weights.vector(name('norm')));
    const hiddenParts = innerParts(tape, hidden, width);
    const previous = tape.graph.input(`previous.${index}`, 'float32', 2);
    const mixed = shifted(tape, hidden, previous, weights.vector(name('keyShift')));
    const query = rotated(project(hiddenParts, 'query'), queryTables);
    const key = rotated(project(innerParts(tape, mixed, width), 'key'), keyTables);
    const value = toHeads(project(hiddenParts, 'value'));

    const products = tape.emit('MatMul', [tape.emit('Reshape', [query, queryShape]), tape.graph.input(`cacheKey.${index}`, 'float32', 5)]);
    const toCache = tape.emit('Reshape', [products, scoreShape]);
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
    const rows = innerParts(tape, tape.emit('Reshape', [attended, rowShape]), width);
    return tape.emit('Add', [stream, project(rows, 'output')]);
  };
}
