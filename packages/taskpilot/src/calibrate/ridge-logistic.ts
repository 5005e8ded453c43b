import { cholesky, forwardSolve, solveCholesky } from './cholesky.js';

/** One group of trials with sparse features: `values[j]` of column `columns[j]`. */
export interface LogisticRow {
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
  let weights = [...(options.start ?? penalties.map(() => 0))];
  let objective = ridgeObjective({ rows, weights, penalties });
  for (let round = 0; round < 50; round++) {
    const { gradient, hessian } = derivatives({ rows, weights, penalties });
    const factor = cholesky(hessian);
    const direction = solveCholesky(factor, gradient);
    let size = 1;
    let next = weights;
    let nextObjective = Number.POSITIVE_INFINITY;
    for (; size > 1e-6; size /= 2) {
      next = weights.map((weight, index) => weight - size * (direction[index] ?? 0));
      nextObjective = ridgeObjective({ rows, weights: next, penalties });
      if (nextObjective <= objective) break;
    }
    const moved = size * Math.max(...direction.map(Math.abs));
    if (nextObjective <= objective) [weights, objective] = [next, nextObjective];
    if (moved < tolerance || nextObjective > objective) return { weights, factor };
  }
  return { weights, factor: cholesky(derivatives({ rows, weights, penalties }).hessian) };
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

/** Gradient [D] and the lower triangle of the Hessian [D][D]. */
function derivatives(options: { rows: readonly LogisticRow[]; weights: readonly number[]; penalties: readonly number[] }) {
  const { rows, weights, penalties } = options;
  const gradient = weights.map((weight, index) => (penalties[index] ?? 0) * weight);
  const hessian = penalties.map((penalty, index) => {
    const row = new Float64Array(penalties.length);
    row[index] = penalty;
    return row;
  });
  for (const row of rows) {
    const rate = 1 / (1 + Math.exp(-linear(row, weights)));
    const slope = row.trials * rate - row.successes;
    const curvature = row.trials * rate * (1 - rate);
    for (let i = 0; i < row.columns.length; i++) {
      const column = row.columns[i] ?? 0;
      const value = row.values[i] ?? 0;
      gradient[column] = (gradient[column] ?? 0) + slope * value;
      const target = hessian[column] as Float64Array;
      for (let j = 0; j < row.columns.length; j++) {
        const other = row.columns[j] ?? 0;
        if (other <= column) target[other] = (target[other] ?? 0) + curvature * value * (row.values[j] ?? 0);
      }
    }
  }
  return { gradient, hessian };
}
