import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';

/** Sum of two values of equal shape. */
export function add(tape: GradientTape, left: GraphValue, right: GraphValue): GraphValue {
  return tape.differentiable(tape.emit('Add', [left, right]), (gradient) => {
    tape.accumulate(left, gradient);
    tape.accumulate(right, gradient);
  });
}
