import { type Snapshot, TadpoleError, type TestExecutor, type TestResult, type TestRun } from '@tadpole/contracts';
import { findSpoilingFile } from './find-spoiling-file.js';
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

/** What the untouched suite gave. */
export interface Baseline {
  /** Tests that passed in every run, in the suite's order and in another. */
  readonly baseline: readonly TestResult[];
  readonly setAside: readonly SetAsideTest[];
  /** The files that could be loaded. */
  readonly testFiles: readonly string[];
}

/** Share of a suite that may fail for reasons of its own, or be lost because all files share one process. */
const largestLoss = 0.05;
/** Files that may be left out because they spoil the process for the others. */
const mostSpoiling = 3;

/** Options of {@link measureBaseline}. */
export interface MeasureOptions {
  readonly snapshot: Snapshot;
  readonly executor: TestExecutor;
  readonly runs: number;
  readonly timeoutMs: number;
  /** Seed of the other order. */
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs an untouched suite several times, once more with its files in another order, and keeps the tests that pass each
 * time. A few tests that always fail are set aside; so is a file that makes tests of others fail by sharing their process,
 * as one that changes a prototype. Tests inside a file keep their order, and vitest and jest order files themselves.
 *
 * @throws TadpoleError `invalid-input` when a run gives no report, when more than 5 % of the tests fail in every run or are
 * lost because the files share one process, or when none is stable; the message carries the output.
 */
export async function measureBaseline(options: MeasureOptions): Promise<Baseline> {
  const { source } = options.snapshot;
  const run = createSuiteRun(options);
  let testFiles = options.snapshot.testFiles;
  const lost: SetAsideTest[] = [];
  let total: number | undefined;
  for (let round = 0; ; round += 1) {
    const own = await measureOrder(testFiles, { run, runs: options.runs });
    total ??= own.counted;
    const bound = largestLoss * total;
    const failing = own.setAside.filter(({ reason }) => reason === 'always-fails');
    if (own.baseline.length === 0)
      throw refuse(source, `none of its tests passed in all of ${options.runs} untouched runs${list(failing)}. Its output:\n${own.output}`);
    if (failing.length > bound) {
      const spoiling = round < mostSpoiling ? await findSpoilingFile({ order: testFiles, victims: failing, run }) : undefined;
      if (spoiling === undefined) {
        const message = `${failing.length} of its tests fail in all of ${options.runs} untouched runs${list(failing)}. Its output:\n${own.output}`;
        throw refuse(source, message);
      }
      leaveOut(spoiling, own);
      continue;
    }
    const unloaded = new Set(failing.filter(({ name }) => name === '(load)').map(({ file }) => file));
    testFiles = testFiles.filter((file) => !unloaded.has(file));
    const order = shuffled(testFiles, options.seed);
    const { baseline, byOrder } =
      testFiles.length < 2
        ? { baseline: own.baseline, byOrder: [] }
        : splitByOrder(own.baseline, (await run(order, otherOrder)).tests, options.runs + 1);
    if (byOrder.length > bound) {
      const spoiling = round < mostSpoiling ? await findSpoilingFile({ order, victims: byOrder, run }) : undefined;
      if (spoiling === undefined)
        throw refuse(
          source,
          `${byOrder.length} of its tests pass only in one order of its files${list(byOrder)}: sharing one process loses them`,
        );
      leaveOut(spoiling, own);
      continue;
    }
    const failed = [...failing, ...byOrder, ...lost];
    if (failed.length > bound)
      throw refuse(source, `${failed.length} of its ${total} tests fail always or are lost by sharing one process${list(failed)}`);
    return { baseline, setAside: [...own.setAside, ...byOrder, ...lost], testFiles };
  }

  function leaveOut(file: string, { baseline, setAside }: Omit<Baseline, 'testFiles'>): void {
    testFiles = testFiles.filter((other) => other !== file);
    for (const test of [...baseline, ...setAside]) if (test.file === file) lost.push(describe(test, 'file', options.runs, options.runs));
  }
}

const otherOrder = ', with its files in another order';

function list(tests: readonly TestResult[]): string {
  const names = tests.slice(0, 5).map(({ id }) => id);
  return names.length === 0 ? '' : ` (${[...names, ...(tests.length > 5 ? ['…'] : [])].join(', ')})`;
}

/** Runs files of the untouched suite. */
type SuiteRun = (testFiles: readonly string[], how?: string) => Promise<Completed>;

function createSuiteRun({ snapshot, executor, timeoutMs, signal }: MeasureOptions): SuiteRun {
  return async (testFiles, how = '') => {
    const run = await executor.execute({ snapshot, edits: [], testFiles, timeoutMs, signal });
    if (run.status === 'completed') return run;
    throw refuse(snapshot.source, `its suite ${run.status} untouched${how}. Its output:\n${run.output}`);
  };
}

async function measureOrder(testFiles: readonly string[], { run, runs }: { run: SuiteRun; runs: number }) {
  const own: Completed[] = [];
  for (let count = 0; count < runs; count += 1) own.push(await run(testFiles));
  const { baseline, setAside } = judge(own.map(({ tests }) => tests));
  const counted = baseline.length + setAside.filter(({ reason }) => reason !== 'skipped').length;
  return { baseline, setAside, counted, output: own.at(-1)?.output ?? '' };
}

type Completed = Extract<TestRun, { status: 'completed' }>;

/** Tests that passed in every run, and the others with the first result that was not a pass. */
function judge(runs: readonly (readonly TestResult[])[]): { baseline: readonly TestResult[]; setAside: readonly SetAsideTest[] } {
  const byRun = runs.map((tests) => new Map(tests.map((test) => [test.id, test])));
  const baseline: TestResult[] = [];
  const setAside: SetAsideTest[] = [];
  for (const [id, test] of new Map(runs.flat().map((result) => [result.id, result]))) {
    const own = byRun.map((results) => results.get(id) ?? { ...test, status: 'missing' as const });
    const others = own.filter(({ status }) => status !== 'passed');
    const [first] = others;
    if (first === undefined) baseline.push(test);
    else if (own.every(({ status }) => status === 'skipped')) setAside.push(describe(first, 'skipped', own.length, own.length));
    else
      setAside.push(describe(first, own.every(({ status }) => status === 'failed') ? 'always-fails' : 'flaky', others.length, own.length));
  }
  return { baseline, setAside };
}

function describe(test: TestResult, reason: SetAsideTest['reason'], failures: number, runs: number): SetAsideTest {
  return { ...test, reason, failures, runs, failureInterval: wilsonInterval({ successes: failures, trials: runs }) };
}

function splitByOrder(
  tests: readonly TestResult[],
  inOtherOrder: readonly TestResult[],
  runs: number,
): { baseline: readonly TestResult[]; byOrder: readonly SetAsideTest[] } {
  const others = new Map(inOtherOrder.map((test) => [test.id, test]));
  const lost = tests.filter(({ id }) => others.get(id)?.status !== 'passed');
  const byOrder = lost.map((test) => describe({ ...test, ...(others.get(test.id) ?? { status: 'missing' as const }) }, 'order', 1, runs));
  return { baseline: tests.filter(({ id }) => others.get(id)?.status === 'passed'), byOrder };
}

/** Fisher and Yates with a linear congruential generator; another order than the given one for any list of two or more. */
function shuffled(list: readonly string[], seed: number): readonly string[] {
  const order = [...list];
  let state = (seed >>> 0) + 1;
  for (let index = order.length - 1; index > 0; index -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (index + 1));
    [order[index], order[other]] = [order[other] as string, order[index] as string];
  }
  return order.every((item, index) => item === list[index]) ? order.reverse() : order;
}

/** The refusal of a repository or package. */
export function refuse(source: string, why: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `expected ${source} to be usable as a snapshot, but ${why}` });
}
