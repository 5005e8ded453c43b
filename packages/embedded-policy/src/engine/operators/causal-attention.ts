import { integers } from '../onnx/constants.js';
import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';
import { fusedMatMul } from './fused-mat-mul.js';

/** What attention reads; all [B, heads, T, headWidth] but the mask. */
export interface AttentionInputs {
  readonly query: GraphValue;
  readonly key: GraphValue;
  readonly value: GraphValue;
  /** [T, T], 0 where query row may see key column and a large negative number elsewhere. */
  readonly mask: GraphValue;
  /** Factor of the scores, 1/√headWidth. */
  readonly scale: number;
}

/**
 * O = softmax(scale Q Kᵀ + mask) V. With P the probabilities: ∂V = Pᵀ∂O, ∂S = P (∂O Vᵀ − rowsum(∂O · O)),
 * ∂Q = scale ∂S K, ∂K = scale ∂Sᵀ Q.
 */
export function causalAttention(tape: GradientTape, { query, key, value, mask, scale }: AttentionInputs): GraphValue {
  const scores = tape.emit('Add', [fusedMatMul(tape, query, key, { transposeRight: true, scale }), mask]);
  const probabilities = tape.emit('Softmax', [scores], { attributes: { axis: { int: -1 } } });
  const output = tape.emit('MatMul', [probabilities, value]);
  return tape.differentiable(output, (gradient) => {
    tape.accumulate(value, fusedMatMul(tape, probabilities, gradient, { transposeLeft: true }));
    const rowSums = tape.emit('ReduceSum', [tape.emit('Mul', [gradient, output]), integers(tape.graph, [3])], { attributes: { keepdims: { int: 1 } } });
    const centred = tape.emit('Sub', [fusedMatMul(tape, gradient, value, { transposeRight: true }), rowSums]);
    const scoreGradient = tape.emit('Mul', [probabilities, centred]);
    tape.accumulate(query, fusedMatMul(tape, scoreGradient, key, { scale }));
    tape.accumulate(key, fusedMatMul(tape, scoreGradient, query, { transposeLeft: true, scale }));
  });
}
