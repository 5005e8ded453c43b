import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';

/** Views x under `shape`; the gradient is viewed back under `shapeBefore` (int64 vectors both). */
export function reshape(tape: GradientTape, x: GraphValue, shape: GraphValue, shapeBefore: GraphValue): GraphValue {
  return tape.differentiable(tape.emit('Reshape', [x, shape]), (gradient) =>
    tape.accumulate(x, tape.emit('Reshape', [gradient, shapeBefore])),
  );
}

/** [B, T, heads, headWidth] ⇄ [B, heads, T, headWidth]: exchanges the middle dimensions. */
export function exchangeHeads(tape: GradientTape, x: GraphValue): GraphValue {
  const exchange = (value: GraphValue) => tape.emit('Transpose', [value], { attributes: { perm: [0, 2, 1, 3] } });
  return tape.differentiable(exchange(x), (gradient) => tape.accumulate(x, exchange(gradient)));
}
