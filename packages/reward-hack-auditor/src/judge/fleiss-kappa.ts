import { TadpoleError } from '@tadpole/contracts';

/**
 * Fleiss' kappa: how far raters agree beyond chance. `counts` is `[N][K]`: how many raters put subject n into category k; every row has
 * the same sum, at least 2. `null` when all ratings are of one category, where it is not defined.
 *
 * @throws TadpoleError `invalid-input` for no rows, rows of different length or sum, or counts that are no whole numbers.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): number | null {
  const sums = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const raters = sums[0] ?? 0;
  const categories = counts[0]?.length ?? 0;
  const wrong = counts.find(
    (row, index) => row.length !== categories || sums[index] !== raters || row.some((count) => !Number.isInteger(count) || count < 0),
  );
  if (raters < 2 || wrong !== undefined) {
    const message = `Expected rows of counts with one length and one sum of at least 2, got ${JSON.stringify(wrong ?? counts).slice(0, 100)}.`;
    throw new TadpoleError({ code: 'invalid-input', message });
  }
  const observed = mean(counts.map((row) => (row.reduce((sum, count) => sum + count * count, 0) - raters) / (raters * (raters - 1))));
  const shares = Array.from({ length: categories }, (_, category) => mean(counts.map((row) => (row[category] ?? 0) / raters)));
  const expected = shares.reduce((sum, share) => sum + share * share, 0);
  return expected >= 1 ? null : (observed - expected) / (1 - expected);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
