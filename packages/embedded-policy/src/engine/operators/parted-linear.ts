import { integers } from '../onnx/constants.js';
import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';
import { fusedMatMul } from './fused-mat-mul.js';

/**
 * Most products that one matrix product sums. ONNX Runtime's kernels sum 128 at a time when the weights are feeds, as in
 * training, and 256 when they are packed constants; in parts of 128 both give the same bits.
 */
export const INNER_PART = 128;

/** Splits rows [N, width] into the parts that a parted product takes. */
export function innerParts(tape: GradientTape, x: GraphValue, width: number): readonly GraphValue[] {
  if (width <= INNER_PART) return [x];
  const sizes = Array.from({ length: Math.ceil(width / INNER_PART) }, (_, part) => Math.min(INNER_PART, width - part * INNER_PART));
  return tape.graph.node('Split', [x, integers(tape.graph, sizes)], { results: sizes.length, attributes: { axis: { int: 1 } } });
}

/** y = x W for the parts of x [N, in] and of the constant W [in, out]; has no reverse rule. */
export function partedLinear(tape: GradientTape, x: readonly GraphValue[], weight: readonly GraphValue[]): GraphValue {
  return x
    .slice(1)
    .reduce((sum, part, index) => tape.emit('Gemm', [part, weight[index + 1]!, sum]), tape.emit('Gemm', [x[0]!, weight[0]!]));
}

/** y = x Wᵀ for the parts of x [N, in] and the constant W [out, in], whose columns are cut when the graph is loaded; has no reverse rule. */
export function partedLinearTransposed(tape: GradientTape, x: readonly GraphValue[], weight: GraphValue): GraphValue {
  const columns = (part: number) => [part * INNER_PART, (part + 1) * INNER_PART, 1].map((value) => integers(tape.graph, [value]));
  const products = x.map((part, index) =>
    fusedMatMul(tape, part, x.length === 1 ? weight : tape.emit('Slice', [weight, ...columns(index)]), { transposeRight: true }),
  );
  return products.reduce((sum, product) => tape.emit('Add', [sum, product]));
}
