import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';

/**
 * y = silu(gate) · up, elementwise (Shazeer 2020, arXiv:2002.05202).
 * With s = σ(gate), a = gate s: ∂up = ∂y a, ∂gate = ∂y up (s + a (1 − s)).
 */
export function swiglu(tape: GradientTape, gate: GraphValue, up: GraphValue): GraphValue {
  const sigmoid = tape.emit('Sigmoid', [gate]);
  const silu = tape.emit('Mul', [gate, sigmoid]);
  return tape.differentiable(tape.emit('Mul', [silu, up]), (gradient) => {
    tape.accumulate(up, tape.emit('Mul', [gradient, silu]));
    const slope = tape.emit('Sub', [tape.emit('Add', [sigmoid, silu]), tape.emit('Mul', [silu, sigmoid])]);
    tape.accumulate(gate, tape.emit('Mul', [tape.emit('Mul', [gradient, up]), slope]));
  });
}
