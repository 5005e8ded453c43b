import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';

/** Cosine and sine tables [contextTokens, headWidth / 2] and the negated sine, which rotates back. */
export interface RotaryTables {
  readonly cosine: GraphValue;
  readonly sine: GraphValue;
  readonly negatedSine: GraphValue;
}

/** Options of {@link rotaryTables}. */
export interface RotaryTableOptions {
  readonly contextTokens: number;
  readonly headWidth: number;
  /** Factor of the rotated values. @default 1 */
  readonly scale?: number;
}

/** Adds the tables to the graph (Su et al. 2021, arXiv:2104.09864; base 10000, halves rotated against each other). */
export function rotaryTables(tape: GradientTape, options: RotaryTableOptions): RotaryTables {
  const half = options.headWidth / 2;
  const scale = options.scale ?? 1;
  const angle = (index: number) => Math.floor(index / half) * 10000 ** (-(index % half) / half);
  const table = (of: (angle: number) => number) =>
    tape.graph.constant(
      Float32Array.from({ length: options.contextTokens * half }, (_, index) => scale * of(angle(index))),
      [options.contextTokens, half],
    );
  return { cosine: table(Math.cos), sine: table(Math.sin), negatedSine: table((x) => -Math.sin(x)) };
}

/**
 * Rotates x, [B, T, heads · headWidth] or [B, heads, T, headWidth], by position. `positions` is int64: [1] gives the first position of every
 * sequence, [B, T] gives each one. The rotation is orthogonal, so the reverse rule rotates back.
 */
export function rotary(tape: GradientTape, x: GraphValue, positions: GraphValue, tables: RotaryTables): GraphValue {
  const rotate = (value: GraphValue, sine: GraphValue) =>
    tape.emit('RotaryEmbedding', [value, positions, tables.cosine, sine], {
      domain: 'com.microsoft',
      attributes: { interleaved: { int: 0 } },
    });
  return tape.differentiable(rotate(x, tables.sine), (gradient) => tape.accumulate(x, rotate(gradient, tables.negatedSine)));
}
