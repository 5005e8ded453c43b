import type { BatchCounts } from './build-batch.js';
import type { StepReport } from './update-report.js';

/**
 * One record of numbers for an update: each step metric averaged over trained tokens, except that a name
 * ending in `Max` keeps the largest and `tokens` adds up; then the batch's counts. Values that are not
 * finite are left out, since an alarm tells about them and JSON cannot.
 */
export function summariseSteps(steps: readonly StepReport[], counts: BatchCounts): Record<string, number> {
  const summary: Record<string, number> = { optimizerSteps: steps.length };
  const names = new Set(steps.flatMap(({ metrics }) => Object.keys(metrics)));
  for (const name of names) {
    const measured = steps.flatMap(({ metrics, trainedTokens }) => {
      const value = metrics[name];
      return value === undefined ? [] : [{ value, trainedTokens }];
    });
    if (name.endsWith('Max')) summary[name] = Math.max(...measured.map(({ value }) => value));
    else if (name === 'tokens') summary[name] = measured.reduce((sum, { value }) => sum + value, 0);
    else {
      const weight = measured.reduce((sum, { trainedTokens }) => sum + trainedTokens, 0);
      summary[name] = measured.reduce((sum, { value, trainedTokens }) => sum + value * trainedTokens, 0) / weight;
    }
  }
  summary.gradientNormMax = Math.max(0, ...steps.map(({ metrics }) => metrics.gradientNorm ?? 0));
  return Object.fromEntries(Object.entries({ ...summary, ...counts }).filter(([, value]) => Number.isFinite(value)));
}
