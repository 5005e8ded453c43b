import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';
import { fusedMatMul } from './fused-mat-mul.js';

/** y = x W for x [N, in], W [in, out]; y [N, out]. */
export function linear(tape: GradientTape, x: GraphValue, weight: GraphValue): GraphValue {
  return tape.differentiable(tape.emit('MatMul', [x, weight]), (gradient) => {
    tape.accumulate(x, fusedMatMul(tape, gradient, weight, { transposeRight: true }));
    tape.accumulate(weight, fusedMatMul(tape, x, gradient, { transposeLeft: true }));
  });
}

/** y = x Wᵀ for x [N, in], W [out, in]; y [N, out]. */
export function linearTransposed(tape: GradientTape, x: GraphValue, weight: GraphValue): GraphValue {
  return tape.differentiable(fusedMatMul(tape, x, weight, { transposeRight: true }), (gradient) => {
    tape.accumulate(x, tape.emit('MatMul', [gradient, weight]));
    tape.accumulate(weight, fusedMatMul(tape, gradient, x, { transposeLeft: true }));
  });
}
