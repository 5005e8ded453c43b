import type { GraphBuilder, GraphValue } from './graph-builder.js';

/** A float scalar constant. */
export function scalar(graph: GraphBuilder, value: number): GraphValue {
  return graph.constant(Float32Array.of(value), []);
}

/** An int64 vector constant: axes, pads and shapes of nodes. */
export function integers(graph: GraphBuilder, values: readonly number[]): GraphValue {
  return graph.constant(BigInt64Array.from(values, BigInt), [values.length]);
}
