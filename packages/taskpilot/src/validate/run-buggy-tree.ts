import type { Gate, TestResult, TreeEdit } from '@tadpole/contracts';
import type { Comparison } from './compare-run.js';
import { executeSuite, type SuiteSettings } from './execute-suite.js';
import { type FailureBounds, requireFailure } from './require-failure.js';
import { Refusal } from './validation.js';

/** What two executions of the buggy tree agreed on. */
export interface BuggyRuns {
  /** Test ids, sorted. */
  readonly failToPass: readonly string[];
  /** Passed in the run of the whole suite. */
  readonly passed: readonly string[];
  readonly first: readonly TestResult[];
  readonly second: readonly TestResult[];
  readonly gate: Gate;
}

/** A first run of more of the test files than this is of all of them, and the second need not be. */
const wideShare = 0.6;

/**
 * Runs the buggy tree twice, once of the two times the whole suite. Both must fail in the same tests, for the right reason; a
 * first run that passes ends it. Where few test files are selected, they run first and the whole suite second; otherwise the
 * whole suite runs first, and the files in which it failed second. A first run of selected files that fails in other tests than
 * the whole suite is done again with all. Throws {@link Refusal}.
 */
export async function runBuggyTree(
  options: SuiteSettings & {
    edits: readonly TreeEdit[];
    /** Test files that can notice the bug. @default all */
    selected: readonly string[] | undefined;
    bounds: FailureBounds;
  },
): Promise<BuggyRuns> {
  const { bounds, edits, ...suite } = options;
  const name = 'fails-before';
  const { testFiles, baseline } = suite.snapshot;
  const suiteSize = baseline.length;
  if (options.selected?.length === 0) throw new Refusal({ reason: 'not-killed', detail: 'no test reaches the changed lines', gate: name });
  const selected = (options.selected?.length ?? Number.POSITIVE_INFINITY) > wideShare * testFiles.length ? undefined : options.selected;
  const execute = (files: readonly string[] | undefined) =>
    executeSuite({ ...suite, edits, gate: name, ...(files === undefined ? {} : { testFiles: files }) });
  let first = await execute(selected);
  requireFailure({ run: first, suiteSize, bounds, gate: name });
  const failing = new Set(first.failed.map(({ file }) => file));
  const near = selected === undefined ? testFiles.filter((file) => failing.has(file)) : undefined;
  const second = await execute(near);
  const again = failedIds(second);
  const isSelectionShort = selected !== undefined && !isSame(failedIds(first), again);
  // Whoever chose the files knew too little: that says nothing about the candidate.
  if (isSelectionShort) first = await execute(undefined);
  const failToPass = failedIds(first);
  if (!isSame(failToPass, again)) {
    const detail = `${failToPass.length} tests failed in the first run, ${again.length} in the second, and not the same`;
    throw new Refusal({ reason: 'flaky', detail, gate: name, evidence: { first: failToPass, second: again } });
  }
  requireFailure({ run: { ...second, expected: suiteSize }, suiteSize, bounds, gate: name });
  const runFiles = { firstRunFiles: isSelectionShort ? 'all' : (selected ?? 'all'), secondRunFiles: near ?? 'all' };
  const whole = near === undefined ? second : first;
  const lost = new Set(second.missing);
  const evidence = { runs: 2, ...runFiles, failToPass, missing: whole.missing.length, suiteSize, bounds };
  return {
    failToPass,
    passed: [...whole.passed].filter((id) => !lost.has(id)),
    first: first.failed,
    second: second.failed,
    gate: { name, passed: true, evidence },
  };
}

function failedIds(run: Comparison): readonly string[] {
  return run.failed.map((test) => test.id).sort();
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
