import type { Comparison } from './compare-run.js';
import { failedToLoad } from './failure-reason.js';
import { Refusal } from './validation.js';

/** Bounds on how much a bug may break. */
export interface FailureBounds {
  /** Missing tests must be a smaller share of the baseline than this. */
  readonly maxMissingShare: number;
  /** Failed tests must be a smaller share of the whole baseline than this. */
  readonly maxFailingShare: number;
}

/** Requires that a run of the buggy tree fails, for the right reason and not everywhere; throws {@link Refusal}. */
export function requireFailure(options: { run: Comparison; suiteSize: number; bounds: FailureBounds; gate: string }): void {
  const { run, suiteSize, bounds, gate } = options;
  const evidence = { failed: run.failed.length, missing: run.missing.length, expected: run.expected, suiteSize };
  if (run.failed.length === 0 && run.missing.length === 0) {
    throw new Refusal({ reason: 'not-killed', detail: `all ${run.expected} tests passed`, gate, evidence });
  }
  if (run.missing.length >= bounds.maxMissingShare * run.expected && run.missing.length > 0) {
    throw new Refusal({ reason: 'missing-tests', detail: `${run.missing.length} of ${run.expected} tests gave no result`, gate, evidence });
  }
  if (run.failed.length === 0) {
    throw new Refusal({ reason: 'not-killed', detail: `no test failed, ${run.missing.length} gave no result`, gate, evidence });
  }
  if (run.failed.length >= bounds.maxFailingShare * suiteSize) {
    throw new Refusal({ reason: 'too-many-failures', detail: `${run.failed.length} of ${suiteSize} tests failed`, gate, evidence });
  }
  const unloaded = run.failed.find(failedToLoad);
  if (unloaded !== undefined) {
    throw new Refusal({ reason: 'wrong-reason', detail: `${unloaded.id}: ${unloaded.message ?? ''}`.slice(0, 200), gate, evidence });
  }
}
