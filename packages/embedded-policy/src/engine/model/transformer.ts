import { integers } from '../onnx/constants.js';
import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';
import { add } from '../operators/add.js';
import { causalAttention } from '../operators/causal-attention.js';
import { linear } from '../operators/linear.js';
import { exchangeHeads, reshape } from '../operators/reshape.js';
import { rmsNorm } from '../operators/rms-norm.js';
import { rotary, rotaryTables } from '../operators/rotary.js';
import { swiglu } from '../operators/swiglu.js';
import { tokenShift } from '../operators/token-shift.js';
import type { ModelConfig } from './model-config.js';
import { weightLayout } from './weight-layout.js';

/** Reads a weight's graph input by its name in the layout. */
export type WeightInputs = (name: string) => GraphValue;

/** Declares every weight as a graph input, so that one session serves every version of the weights. */
export function weightInputs(tape: GradientTape, config: ModelConfig): WeightInputs {
  const inputs = new Map(weightLayout(config).slots.map(({ name, shape }) => [name, tape.graph.input(name, 'float32', shape.length)]));
  return (name) => {
    const input = inputs.get(name);
    if (input === undefined) throw new Error(`the layout has no weight '${name}'`);
    return input;
  };
}

/** Feeds of a batch of B right-padded sequences of T tokens. */
export interface SequenceInputs {
  /** int64 [3]: B, T, width. */
  readonly sequenceShape: GraphValue;
  /** Additive masks of the blocks of causal attention, `mask.0` and on. */
  readonly masks: readonly GraphValue[];
}

/** Blocks of queries in causal attention; divides every padded length. */
export const ATTENTION_BLOCKS = 4;

/** Declares the feeds of a padded batch. */
export function sequenceInputs(tape: GradientTape): SequenceInputs {
  const masks = Array.from({ length: ATTENTION_BLOCKS }, (_, block) => tape.graph.input(`mask.${block}`, 'float32', 2));
  return { sequenceShape: tape.graph.input('sequenceShape', 'int64', 1), masks };
}

/** What a decode step needs of one layer's prefix. */
export interface LayerPrefix {
  /** Rotated keys and values [B, heads, T, headWidth]. */
  readonly key: GraphValue;
  readonly value: GraphValue;
  /** Normalised attention input [B·T, width]: its last row feeds the next token shift. */
  readonly hidden: GraphValue;
}

/** Options of {@link transformer}. */
export interface TransformerOptions {
  readonly config: ModelConfig;
  readonly weights: WeightInputs;
  readonly inputs: SequenceInputs;
  /** Embedded tokens [B·T, width]. */
  readonly embedded: GraphValue;
}

/** Runs all layers over whole sequences; returns the residual stream before the last norm, [B·T, width]. */
export function transformer(tape: GradientTape, options: TransformerOptions): GraphValue {
  const layer = createLayer(tape, options);
  let stream = layer.enter(options.embedded);
  for (let index = 0; index < options.config.layers; index++)
    stream = layer.feedForward(index, layer.attend(index, stream, layer.prefix(index, stream)));
  return stream;
}

/** Computes only what decoding needs of whole sequences: every layer's {@link LayerPrefix}. */
export function transformerPrefixes(tape: GradientTape, options: TransformerOptions): LayerPrefix[] {
  const layer = createLayer(tape, options);
  const prefixes: LayerPrefix[] = [];
  let stream = layer.enter(options.embedded);
  for (let index = 0; index < options.config.layers; index++) {
    const prefix = layer.prefix(index, stream);
    prefixes.push(prefix);
    if (index + 1 < options.config.layers) stream = layer.feedForward(index, layer.attend(index, stream, prefix));
  }
  return prefixes;
}

function createLayer(tape: GradientTape, { config, weights, inputs }: TransformerOptions) {
  const { width, heads, contextTokens } = config;
  const headWidth = width / heads;
  const tables = rotaryTables(tape, { contextTokens, headWidth });
  const rowShape = integers(tape.graph, [-1, width]);
  const mergedShape = integers(tape.graph, [0, 0, width]);
  const headShape = integers(tape.graph, [0, 0, heads, headWidth]);
  const firstPosition = integers(tape.graph, [0]);
  const shapes = { rows: rowShape, sequences: inputs.sequenceShape };

  const toSequences = (rows: GraphValue) => reshape(tape, rows, inputs.sequenceShape, rowShape);
  const toHeads = (sequences: GraphValue) => exchangeHeads(tape, reshape(tape, sequences, headShape, mergedShape));
  const rotated = (rows: GraphValue) => toHeads(rotary(tape, toSequences(rows), firstPosition, tables));

  return {
    /**
     * Mixes each embedding with the one before it, so that the first layer sees pairs of tokens: with single tokens a small
     * model copied code at -1.1 nats a token wherever a token occurs twice, with pairs it soon came below -0.6.
     */
    enter: (embedded: GraphValue) => tokenShift(tape, embedded, weights('shift'), shapes),
    prefix(index: number, stream: GraphValue): LayerPrefix {
      const weight = (part: string) => weights(`layers.${index}.attention.${part}`);
      const hidden = rmsNorm(tape, stream, weight('norm'));
      const shifted = tokenShift(tape, hidden, weight('keyShift'), shapes);
      return {
        hidden,
        key: rotated(linear(tape, shifted, weight('key'))),
        value: toHeads(toSequences(linear(tape, hidden, weight('value')))),
      };
    },
    attend(index: number, stream: GraphValue, { hidden, key, value }: LayerPrefix): GraphValue {
      const weight = (part: string) => weights(`layers.${index}.attention.${part}`);
      const query = rotated(linear(tape, hidden, weight('query')));
      const attended = exchangeHeads(tape, causalAttention(tape, { query, key, value, masks: inputs.masks, scale: headWidth ** -0.5 }));
      const rows = reshape(tape, reshape(tape, attended, mergedShape, headShape), rowShape, inputs.sequenceShape);
      return add(tape, stream, linear(tape, rows, weight('output')));
    },
    feedForward: (index: number, stream: GraphValue) => feedForward(tape, weights, index, stream),
  };
}

/** The gated feed-forward block of layer `index` with its residual, on rows [N, width]. */
function feedForward(tape: GradientTape, weights: WeightInputs, index: number, stream: GraphValue): GraphValue {
  const weight = (part: string) => weights(`layers.${index}.feedForward.${part}`);
  const hidden = rmsNorm(tape, stream, weight('norm'));
  const inner = swiglu(tape, linear(tape, hidden, weight('gate')), linear(tape, hidden, weight('up')));
  return add(tape, stream, linear(tape, inner, weight('down')));
}
