import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';

/** Cuts x into `count` equal pieces along `axis`. Every piece must be used where the graph is differentiated. */
export function split(tape: GradientTape, x: GraphValue, { axis, count }: { readonly axis: number; readonly count: number }): GraphValue[] {
  const pieces = tape.graph.node('Split', [x], { results: count, attributes: { axis: { int: axis }, num_outputs: { int: count } } });
  const gradients: GraphValue[] = [];
  for (const [index, piece] of pieces.entries()) {
    tape.differentiable(piece, (gradient) => {
      gradients[index] = gradient;
      // Rules run from the last piece to the first.
      if (index === 0) tape.accumulate(x, tape.emit('Concat', gradients, { attributes: { axis: { int: axis } } }));
    });
  }
  return pieces;
}

/** Joins pieces of equal size along `axis`. */
export function concat(tape: GradientTape, pieces: readonly GraphValue[], axis: number): GraphValue {
  if (pieces.length === 1) return pieces[0]!;
  const joined = tape.emit('Concat', pieces, { attributes: { axis: { int: axis } } });
  return tape.differentiable(joined, (gradient) => {
    const parts = tape.graph.node('Split', [gradient], {
      results: pieces.length,
      attributes: { axis: { int: axis }, num_outputs: { int: pieces.length } },
    });
    for (const [index, part] of parts.entries()) tape.accumulate(pieces[index]!, part);
  });
}
