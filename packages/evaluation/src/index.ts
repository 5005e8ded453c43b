export { compareRuns, type RunComparison, type RunOutcome } from './compare-runs.js';
export { comparisonTable } from './comparison-table.js';
export { formatRate } from './format-rate.js';
export { mcnemarExact } from './mcnemar-exact.js';
export { passAtK } from './pass-at-k.js';
export { rate } from './rate.js';
export { type RateDifference, rateDifference } from './rate-difference.js';
export { wilsonInterval } from './wilson-interval.js';
