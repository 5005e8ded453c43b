import type { TestResult } from '@tadpole/contracts';

/** What became of the baseline's tests in another run. Tests outside the baseline are not stable and do not count. */
export interface Comparison {
  /** Reported as failed, in the run's order. */
  readonly failed: readonly TestResult[];
  readonly passed: ReadonlySet<string>;
  /** Neither passed nor failed: absent from the report, or skipped. A missing test is not a failed one. */
  readonly missing: readonly string[];
  readonly expected: number;
}

/** Compares a completed run with the baseline, of the given test files or of all. */
export function compareRun(options: {
  tests: readonly TestResult[];
  baseline: readonly TestResult[];
  testFiles?: readonly string[];
}): Comparison {
  const files = options.testFiles === undefined ? undefined : new Set(options.testFiles);
  const baseline = options.baseline.filter((test) => files === undefined || files.has(test.file));
  const expected = new Set(baseline.map((test) => test.id));
  const failed = options.tests.filter((test) => test.status === 'failed' && expected.has(test.id));
  const failedIds = new Set(failed.map((test) => test.id));
  const passed = new Set(
    options.tests.filter((test) => test.status === 'passed' && expected.has(test.id) && !failedIds.has(test.id)).map((test) => test.id),
  );
  const missing = [...expected].filter((id) => !passed.has(id) && !failedIds.has(id));
  return { failed, passed, missing, expected: expected.size };
}
