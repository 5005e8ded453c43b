/** Lower triangle L with L L' = `matrix`, which is symmetric and positive definite. */
export function cholesky(matrix: readonly Float64Array[]): Float64Array[] {
  const lower = matrix.map((row) => new Float64Array(row.length));
  for (const [i, row] of lower.entries()) {
    for (let j = 0; j <= i; j++) {
      const other = lower[j] as Float64Array;
      let sum = matrix[i]?.[j] ?? 0;
      for (let k = 0; k < j; k++) sum -= (row[k] ?? 0) * (other[k] ?? 0);
      row[j] = i === j ? Math.sqrt(sum) : sum / (other[j] ?? 1);
    }
  }
  return lower;
}

/** x with L x = `right` for a lower triangle L. */
export function forwardSolve(lower: readonly Float64Array[], right: readonly number[]): number[] {
  const solution: number[] = [];
  for (const [i, row] of lower.entries()) {
    let sum = right[i] ?? 0;
    for (let k = 0; k < i; k++) sum -= (row[k] ?? 0) * (solution[k] ?? 0);
    solution.push(sum / (row[i] ?? 1));
  }
  return solution;
}

/** x with L L' x = `right`. */
export function solveCholesky(lower: readonly Float64Array[], right: readonly number[]): number[] {
  const solution = forwardSolve(lower, right);
  for (let i = lower.length - 1; i >= 0; i--) {
    let sum = solution[i] ?? 0;
    for (let k = i + 1; k < lower.length; k++) sum -= (lower[k]?.[i] ?? 0) * (solution[k] ?? 0);
    solution[i] = sum / (lower[i]?.[i] ?? 1);
  }
  return solution;
}
