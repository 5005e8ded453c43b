import type { TestResult } from '@tadpole/contracts';
import { wilsonInterval } from './wilson-interval.js';

/** A test that does not count, with why and how often it did not pass. */
export interface SetAsideTest extends TestResult {
  /**
   * `skipped` in every run · `always-fails` in every run · `flaky`: in some runs of the same order · `order`: only when the
   * files run in another order · `file`: it stands in a file that spoils the shared process, and does not run.
   */
  readonly reason: 'skipped' | 'always-fails' | 'flaky' | 'order' | 'file';
  /** Runs in which it did not pass. */
  readonly failures: number;
  readonly runs: number;
  /** Wilson's 95 % interval of the rate at which it does not pass. */
  readonly failureInterval: readonly [number, number];
}

/** Tests that passed in every run, and the others with the first result that was not a pass. */
export function judgeRuns(runs: readonly (readonly TestResult[])[]): {
  baseline: readonly TestResult[];
  setAside: readonly SetAsideTest[];
} {
  const byRun = runs.map((tests) => new Map(tests.map((test) => [test.id, test])));
  const baseline: TestResult[] = [];
  const setAside: SetAsideTest[] = [];
  for (const [id, test] of new Map(runs.flat().map((result) => [result.id, result]))) {
    const own = byRun.map((results) => results.get(id) ?? { ...test, status: 'missing' as const });
    const others = own.filter(({ status }) => status !== 'passed');
    const [first] = others;
    if (first === undefined) baseline.push(test);
    else if (own.every(({ status }) => status === 'skipped')) setAside.push(setAsideTest(first, 'skipped', own.length, own.length));
    else
      setAside.push(
        setAsideTest(first, own.every(({ status }) => status === 'failed') ? 'always-fails' : 'flaky', others.length, own.length),
      );
  }
  return { baseline, setAside };
}

/** A result with its reason and rate. */
export function setAsideTest(test: TestResult, reason: SetAsideTest['reason'], failures: number, runs: number): SetAsideTest {
  return { ...test, reason, failures, runs, failureInterval: wilsonInterval({ successes: failures, trials: runs }) };
}

/** Splits tests that passed in the suite's order by whether they passed in another too. */
export function splitByOrder(
  tests: readonly TestResult[],
  inOtherOrder: readonly TestResult[],
  runs: number,
): { baseline: readonly TestResult[]; byOrder: readonly SetAsideTest[] } {
  const others = new Map(inOtherOrder.map((test) => [test.id, test]));
  const lost = tests.filter(({ id }) => others.get(id)?.status !== 'passed');
  const byOrder = lost.map((test) =>
    setAsideTest({ ...test, ...(others.get(test.id) ?? { status: 'missing' as const }) }, 'order', 1, runs),
  );
  return { baseline: tests.filter(({ id }) => others.get(id)?.status === 'passed'), byOrder };
}
