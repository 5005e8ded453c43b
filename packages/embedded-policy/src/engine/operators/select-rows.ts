import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';

/** Which rows to select, and the way back. */
export interface RowSelection {
  /** int32 [R]: index into N of each selected row; no index twice. */
  readonly rows: GraphValue;
  /** int32 [N]: index into R of each row, R where it is not selected. Only the reverse rule reads it. */
  readonly inverse?: GraphValue;
}

/** y [R, d] = the chosen rows of x [N, d]. The reverse rule gathers too, so that no scatter (unordered) is needed. */
export function selectRows(tape: GradientTape, x: GraphValue, selection: RowSelection, width: number): GraphValue {
  return tape.differentiable(tape.emit('Gather', [x, selection.rows], { attributes: { axis: { int: 0 } } }), (gradient) => {
    if (selection.inverse === undefined) throw new Error('select-rows: expected the inverse selection in a graph that is differentiated');
    const zeroRow = tape.graph.constant(new Float32Array(width), [1, width]);
    const extended = tape.emit('Concat', [gradient, zeroRow], { attributes: { axis: { int: 0 } } });
    tape.accumulate(x, tape.emit('Gather', [extended, selection.inverse], { attributes: { axis: { int: 0 } } }));
  });
}
