import type { Gate, TestResult, TreeEdit } from '@tadpole/contracts';
import type { Comparison } from './compare-run.js';
import { executeSuite, type SuiteSettings } from './execute-suite.js';
import { type FailureBounds, requireFailure } from './require-failure.js';
import { Refusal } from './validation.js';

/** What two executions of the buggy tree agreed on. */
export interface BuggyRuns {
  /** Test ids, sorted. */
  readonly failToPass: readonly string[];
  /** Passed in the complete run. */
  readonly passed: readonly string[];
  readonly first: readonly TestResult[];
  readonly second: readonly TestResult[];
  readonly gate: Gate;
}

/**
 * Runs the buggy tree twice: the second time the whole suite. Both must fail in the same tests, for the right
 * reason; a first run that passes ends it. A first run of selected files that fails in other tests than the whole suite is
 * done again with all. Throws {@link Refusal}.
 */
export async function runBuggyTree(
  options: SuiteSettings & {
    edits: readonly TreeEdit[];
    /** Test files of the first run. @default all */
    selected: readonly string[] | undefined;
    bounds: FailureBounds;
  },
): Promise<BuggyRuns> {
  const { selected, bounds, edits, ...suite } = options;
  const name = 'fails-before';
  const suiteSize = suite.snapshot.baseline.length;
  if (selected?.length === 0) throw new Refusal({ reason: 'not-killed', detail: 'no test reaches the changed lines', gate: name });
  let first = await executeSuite({ ...suite, edits, gate: name, ...(selected === undefined ? {} : { testFiles: selected }) });
  requireFailure({ run: first, suiteSize, bounds, gate: name });
  const second = await executeSuite({ ...suite, edits, gate: name });
  const again = failedIds(second);
  const isSelectionShort = selected !== undefined && !isSame(failedIds(first), again);
  // Whoever chose the files knew too little: that says nothing about the candidate.
  if (isSelectionShort) first = await executeSuite({ ...suite, edits, gate: name });
  const failToPass = failedIds(first);
  if (!isSame(failToPass, again)) {
    const detail = `${failToPass.length} tests failed in the first run, ${again.length} in the second, and not the same`;
    throw new Refusal({ reason: 'flaky', detail, gate: name, evidence: { first: failToPass, second: again } });
  }
  requireFailure({ run: second, suiteSize, bounds, gate: name });
  const firstRunFiles = isSelectionShort ? 'all' : (selected ?? 'all');
  const evidence = { runs: 2, firstRunFiles, failToPass, missing: second.missing.length, suiteSize, bounds };
  return { failToPass, passed: [...second.passed], first: first.failed, second: second.failed, gate: { name, passed: true, evidence } };
}

function failedIds(run: Comparison): readonly string[] {
  return run.failed.map((test) => test.id).sort();
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
