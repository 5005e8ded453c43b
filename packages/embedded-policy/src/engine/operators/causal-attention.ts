import { integers, scalar } from '../onnx/constants.js';
import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';
import { fusedMatMul } from './fused-mat-mul.js';
import { concat, split } from './split.js';

/** What attention reads; all [B, heads, T, headWidth] but the masks. */
export interface AttentionInputs {
  readonly query: GraphValue;
  readonly key: GraphValue;
  readonly value: GraphValue;
  /** One mask for each of C blocks of T / C queries; mask c is [T / C, (c + 1) T / C], see {@link causalMasks}. */
  readonly masks: readonly GraphValue[];
  /** Factor of the scores, 1/√headWidth. */
  readonly scale: number;
}

/**
 * Causal attention in blocks of queries: block c sees the keys up to its own end only, so that of the C² score blocks
 * C (C + 1) / 2 are computed.
 */
export function causalAttention(tape: GradientTape, { query, key, value, masks, scale }: AttentionInputs): GraphValue {
  const [queries, keys, values] = [query, key, value].map((x) => split(tape, x, { axis: 2, count: masks.length })) as [
    GraphValue[],
    GraphValue[],
    GraphValue[],
  ];
  const blocks = masks.map((mask, index) =>
    attention(tape, {
      query: queries[index]!,
      key: concat(tape, keys.slice(0, index + 1), 2),
      value: concat(tape, values.slice(0, index + 1), 2),
      mask,
      scale,
    }),
  );
  return concat(tape, blocks, 2);
}

/**
 * O = P V with P = softmax(scale Q Kᵀ + mask). ∂V = Pᵀ∂O, ∂S = P · (∂O Vᵀ − δ) with δ = rowsum(∂O · O),
 * ∂Q = scale ∂S K, ∂K = scale ∂Sᵀ Q. The subtraction of δ is one more channel of the product: [∂O, −δ] [V, 1]ᵀ.
 */
function attention(
  tape: GradientTape,
  { query, key, value, mask, scale }: Omit<AttentionInputs, 'masks'> & { readonly mask: GraphValue },
): GraphValue {
  const scores = tape.emit('Add', [fusedMatMul(tape, query, key, { transposeRight: true, scale }), mask]);
  const probabilities = tape.emit('Softmax', [scores], { attributes: { axis: { int: -1 } } });
  const output = tape.emit('MatMul', [probabilities, value]);
  return tape.differentiable(output, (gradient) => {
    const lastAxis = integers(tape.graph, [3]);
    const extend = (x: GraphValue, channel: GraphValue) => tape.emit('Concat', [x, channel], { attributes: { axis: { int: 3 } } });
    const rowSums = tape.emit('ReduceSum', [tape.emit('Mul', [gradient, output]), lastAxis], { attributes: { keepdims: { int: 1 } } });
    const padded = tape.emit('Pad', [value, integers(tape.graph, [0, 0, 0, 0, 0, 0, 0, 1]), scalar(tape.graph, 1)]);
    const centred = fusedMatMul(tape, extend(gradient, tape.emit('Neg', [rowSums])), padded, { transposeRight: true });
    const scoreGradient = tape.emit('Mul', [probabilities, centred]);
    tape.accumulate(value, fusedMatMul(tape, probabilities, gradient, { transposeLeft: true }));
    tape.accumulate(query, fusedMatMul(tape, scoreGradient, key, { scale }));
    tape.accumulate(key, fusedMatMul(tape, scoreGradient, query, { transposeLeft: true, scale }));
  });
}

/**
 * The additive masks of `blocks` query blocks over T = `length` positions, a multiple of `blocks`: 0 where the key is
 * at or before the query, −1e9 after it.
 */
export function causalMasks(length: number, blocks: number): { readonly data: Float32Array; readonly dimensions: [number, number] }[] {
  const rows = length / blocks;
  return Array.from({ length: blocks }, (_, block) => {
    const columns = rows * (block + 1);
    const data = new Float32Array(rows * columns);
    for (let row = 0; row < rows; row++) data.fill(-1e9, row * columns + rows * block + row + 1, (row + 1) * columns);
    return { data, dimensions: [rows, columns] };
  });
}
