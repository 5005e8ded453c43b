import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';

/** Options of {@link fusedMatMul}. */
export interface FusedMatMulOptions {
  /** Transpose the last two dimensions of the left factor. @default false */
  readonly transposeLeft?: boolean;
  /** Transpose the last two dimensions of the right factor. @default false */
  readonly transposeRight?: boolean;
  /** Factor of the product. @default 1 */
  readonly scale?: number;
}

/** A (batched) matrix product without materialised transposes; has no reverse rule of its own. */
export function fusedMatMul(tape: GradientTape, left: GraphValue, right: GraphValue, options: FusedMatMulOptions): GraphValue {
  return tape.emit('FusedMatMul', [left, right], {
    domain: 'com.microsoft',
    attributes: {
      transA: { int: options.transposeLeft === true ? 1 : 0 },
      transB: { int: options.transposeRight === true ? 1 : 0 },
      alpha: { float: options.scale ?? 1 },
    },
  });
}
