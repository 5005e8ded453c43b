import { integers } from '../onnx/constants.js';
import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';

/** Shapes: `rows` is [B·T, width] and `sequences` [B, T, width], both as int64 vectors. */
export interface TokenShiftShapes {
  readonly rows: GraphValue;
  readonly sequences: GraphValue;
}

/**
 * y(t) = (1 − m) h(t) + m h(t − 1) for h [B·T, d], m [d], with h(−1) = 0: mixes each position with the one before it
 * (token shift, as in RWKV, arXiv:2305.13048).
 */
export function tokenShift(tape: GradientTape, h: GraphValue, mix: GraphValue, shapes: TokenShiftShapes): GraphValue {
  const difference = tape.emit('Sub', [shift(tape, h, shapes, 1), h]);
  const y = tape.emit('Add', [h, tape.emit('Mul', [difference, mix])]);
  return tape.differentiable(y, (gradient) => {
    tape.accumulate(
      mix,
      tape.emit('ReduceSum', [tape.emit('Mul', [gradient, difference]), integers(tape.graph, [0])], {
        attributes: { keepdims: { int: 0 } },
      }),
    );
    const mixed = tape.emit('Mul', [gradient, mix]);
    const current = tape.emit('Sub', [gradient, mixed]);
    tape.accumulate(h, tape.emit('Add', [current, shift(tape, mixed, shapes, -1)]));
  });
}

/** Moves rows `by` positions later inside each sequence; zeros enter. */
function shift(tape: GradientTape, x: GraphValue, shapes: TokenShiftShapes, by: 1 | -1): GraphValue {
  const sequences = tape.emit('Reshape', [x, shapes.sequences]);
  const padded = tape.emit('Pad', [sequences, integers(tape.graph, [0, by, 0, 0, -by, 0])]);
  return tape.emit('Reshape', [padded, shapes.rows]);
}
