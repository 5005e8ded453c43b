import { integers } from '../onnx/constants.js';
import { createGradientTape } from '../onnx/gradient-tape.js';
import { createGraphBuilder } from '../onnx/graph-builder.js';
import { LENGTH_MULTIPLE } from '../training/micro-batches.js';
import type { ModelConfig } from './model-config.js';
import { sequenceInputs, transformerPrefixes, weightInputs } from './transformer.js';

/**
 * The prefill graph. Feeds: every weight, `tokens` int32 [B·T], `sequenceShape`, `mask.c`, `lastRows` int32 [B], the
 * index into B·T of each prompt's last row. Fetches for each layer i: `key.i` [B, heads, T / 64, headWidth, 64], `value.i`
 * [B, heads, T, headWidth] and `hidden.i` [B, width], the normalised attention input at the last row.
 */
export function prefillGraph(config: ModelConfig): Uint8Array {
  const tape = createGradientTape(createGraphBuilder('prefill'));
  const weights = weightInputs(tape, config);
  const inputs = sequenceInputs(tape);
  const lastRows = tape.graph.input('lastRows', 'int32', 1);
  const embedded = tape.emit('Gather', [weights('embedding'), tape.graph.input('tokens', 'int32', 1)], {
    attributes: { axis: { int: 0 } },
  });
  const blockShape = integers(tape.graph, [0, 0, -1, LENGTH_MULTIPLE, config.width / config.heads]);
  transformerPrefixes(tape, { config, weights, inputs, embedded }).forEach(({ key, value, hidden }, index) => {
    const blocks = tape.emit('Reshape', [key, blockShape]);
    tape.graph.output(`key.${index}`, tape.emit('Transpose', [blocks], { attributes: { perm: [0, 1, 2, 4, 3] } }));
    tape.graph.output(`value.${index}`, value);
    tape.graph.output(`hidden.${index}`, tape.emit('Gather', [hidden, lastRows], { attributes: { axis: { int: 0 } } }));
  });
  return tape.graph.encode();
}
