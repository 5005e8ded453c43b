import { cholesky, forwardSolve, solveCholesky } from './cholesky.js';

/** One group of trials with sparse features: `values[j]` of column `columns[j]`. */
export interface LogisticRow {
  /** Ascending. */
  readonly columns: readonly number[];
  readonly values: readonly number[];
  /** Known part of the logit. */
  readonly offset: number;
  readonly successes: number;
  readonly trials: number;
}

/** A fit of {@link fitRidgeLogistic}: weights [D] and the Cholesky factor of the objective's Hessian [D][D]. */
export interface LogisticFit {
  readonly weights: readonly number[];
  readonly factor: readonly Float64Array[];
}

/**
 * The objective of the fit, which is minimised: negative log-likelihood of binomial trials plus half the
 * weighted squares, -Σ [k z - n log(1 + e^z)] + ½ Σ penalty_d w_d², with z = offset + x·w.
 */
export function ridgeObjective(options: {
  rows: readonly LogisticRow[];
  weights: readonly number[];
  penalties: readonly number[];
}): number {
  const { rows, weights, penalties } = options;
  const penalty = weights.reduce((sum, weight, index) => sum + 0.5 * (penalties[index] ?? 0) * weight ** 2, 0);
  return rows.reduce((sum, row) => {
    const value = linear(row, weights);
    return sum - row.successes * value + row.trials * (Math.max(0, value) + Math.log1p(Math.exp(-Math.abs(value))));
  }, penalty);
}

/** Minimises {@link ridgeObjective} by Newton steps, halved while they do not help. Penalties must be positive. */
export function fitRidgeLogistic(options: {
  rows: readonly LogisticRow[];
  /** [D] */
  penalties: readonly number[];
  /** Where to start [D]. @default zeros */
  start?: readonly number[];
  /** Ends when no weight moves by more. @default 1e-4 */
  tolerance?: number;
}): LogisticFit {
  const { rows, penalties, tolerance = 1e-4 } = options;
  const packed = pack(rows);
  let weights = [...(options.start ?? penalties.map(() => 0))];
  let objective = ridgeObjective({ rows, weights, penalties });
  for (let round = 0; ; round++) {
    const { gradient, hessian } = derivatives({ packed, weights, penalties });
    const factor = cholesky(hessian);
    const direction = solveCholesky(factor, gradient);
    for (let size = 1; ; size /= 2) {
      const next = weights.map((weight, index) => weight - size * (direction[index] ?? 0));
      const nextObjective = ridgeObjective({ rows, weights: next, penalties });
      const isBetter = nextObjective <= objective;
      if (isBetter) [weights, objective] = [next, nextObjective];
      const moved = size * Math.max(...direction.map(Math.abs));
      if (moved < tolerance || round === 50) return { weights, factor };
      if (isBetter) break;
    }
  }
}

/** The logit at a row, and its variance by Laplace's approximation: x' H⁻¹ x. */
export function predictLogit(options: { fit: LogisticFit; row: Pick<LogisticRow, 'columns' | 'values' | 'offset'> }): {
  value: number;
  variance: number;
} {
  const { fit, row } = options;
  const dense = fit.weights.map(() => 0);
  for (const [index, column] of row.columns.entries()) dense[column] = (dense[column] ?? 0) + (row.values[index] ?? 0);
  const half = forwardSolve(fit.factor, dense);
  return { value: linear(row, fit.weights), variance: half.reduce((sum, value) => sum + value ** 2, 0) };
}

function linear(row: Pick<LogisticRow, 'columns' | 'values' | 'offset'>, weights: readonly number[]): number {
  let value = row.offset;
  for (let index = 0; index < row.columns.length; index++) value += (weights[row.columns[index] ?? 0] ?? 0) * (row.values[index] ?? 0);
  return value;
}

/** Rows end to end: row r has the entries `starts[r]` to `starts[r + 1]`. */
interface PackedRows {
  readonly rows: readonly LogisticRow[];
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

function pack(rows: readonly LogisticRow[]): PackedRows {
  const starts = new Int32Array(rows.length + 1);
  for (const [index, { columns }] of rows.entries()) starts[index + 1] = (starts[index] as number) + columns.length;
  const [columns, values] = [new Int32Array(starts.at(-1) ?? 0), new Float64Array(starts.at(-1) ?? 0)];
  for (const [index, row] of rows.entries()) {
    columns.set(row.columns, starts[index]);
    values.set(row.values, starts[index]);
  }
  return { rows, starts, columns, values };
}

/** Gradient [D] and the lower triangle of the Hessian [D][D]. */
function derivatives(options: { packed: PackedRows; weights: readonly number[]; penalties: readonly number[] }) {
  const { packed, weights, penalties } = options;
  const { starts, columns, values } = packed;
  const size = penalties.length;
  const gradient = Float64Array.from(weights, (weight, index) => (penalties[index] as number) * weight);
  const hessian = new Float64Array(size * size);
  for (const [index, penalty] of penalties.entries()) hessian[index * size + index] = penalty;
  for (const [index, row] of packed.rows.entries()) {
    const [from, to] = [starts[index] as number, starts[index + 1] as number];
    const rate = 1 / (1 + Math.exp(-linear(row, weights)));
    const slope = row.trials * rate - row.successes;
    const curvature = row.trials * rate * (1 - rate);
    for (let i = from; i < to; i++) {
      const column = columns[i] as number;
      const value = values[i] as number;
      (gradient[column] as number) += slope * value;
      const scaled = curvature * value;
      for (let j = from; j <= i; j++) (hessian[column * size + (columns[j] as number)] as number) += scaled * (values[j] as number);
    }
  }
  return { gradient: [...gradient], hessian: penalties.map((_, index) => hessian.subarray(index * size, (index + 1) * size)) };
}
