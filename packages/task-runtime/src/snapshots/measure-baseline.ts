import { type Snapshot, TadpoleError, type TestExecutor, type TestResult, type TestRun } from '@tadpole/contracts';

/** A test that does not count, with why and how often it did not pass. */
export interface SetAsideTest extends TestResult {
  /**
   * `skipped` in every run · `always-fails` in every run · `flaky`: in some runs of the same order · `order`: only when the
   * files run in another order.
   */
  readonly reason: 'skipped' | 'always-fails' | 'flaky' | 'order';
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

/**
 * Runs an untouched suite several times, once more with its files in another order, and keeps the tests that pass each
 * time. A few tests that always fail are set aside. Tests inside a file keep their order, and vitest and jest choose the
 * order of files themselves.
 *
 * @throws TadpoleError `invalid-input` when a run gives no report, when more than 5 % of the tests fail in every run or are
 * lost because the files share one process, or when none is stable; the message carries the output.
 */
export async function measureBaseline(options: {
  snapshot: Snapshot;
  executor: TestExecutor;
  runs: number;
  timeoutMs: number;
  /** Seed of the other order. */
  seed: number;
  signal?: AbortSignal | undefined;
}): Promise<Baseline> {
  const { snapshot, executor, runs, timeoutMs, signal } = options;
  const { source } = snapshot;
  const execute = (testFiles: readonly string[]) => executor.execute({ snapshot, edits: [], testFiles, timeoutMs, signal });
  const completed = async (testFiles: readonly string[], how: string) => {
    const run = await execute(testFiles);
    if (run.status === 'completed') return run;
    throw refuse(source, `its suite ${run.status} untouched${how}. Its output:\n${run.output}`);
  };
  const own: Completed[] = [];
  for (let run = 0; run < runs; run += 1) own.push(await completed(snapshot.testFiles, ''));
  const output = own.at(-1)?.output ?? '';
  const judged = judge(own.map(({ tests }) => tests));
  const failing = judged.setAside.filter(({ reason }) => reason === 'always-fails');
  const counted = judged.baseline.length + judged.setAside.filter(({ reason }) => reason !== 'skipped').length;
  const names = (tests: readonly TestResult[]) => `${tests.slice(0, 5).map(({ id }) => id).join(', ')}${tests.length > 5 ? ', …' : ''}`;
  if (failing.length > largestLoss * counted) {
    const shared = await passingAlone(failing, execute);
    const why = shared === 0 ? '' : `; ${shared} of them pass where their file runs alone, so they are lost because the files share one process`;
    throw refuse(source, `${failing.length} of its tests fail in all of ${runs} untouched runs (${names(failing)})${why}. Its output:\n${output}`);
  }
  if (judged.baseline.length === 0) throw refuse(source, `none of its tests passed in all of ${runs} untouched runs. Its output:\n${output}`);
  const unloaded = new Set(failing.filter(({ name }) => name === '(load)').map(({ file }) => file));
  const testFiles = snapshot.testFiles.filter((file) => !unloaded.has(file));
  if (testFiles.length < 2) return { ...judged, testFiles };
  const other = await completed(shuffled(testFiles, options.seed), ', with its files in another order');
  const passed = new Set(other.tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
  const lost = judged.baseline.filter(({ id }) => !passed.has(id));
  if (lost.length > largestLoss * counted) {
    throw refuse(source, `${lost.length} of its tests pass only while its files run in one order (${names(lost)}), which is how sharing one process loses them. Its output:\n${other.output}`);
  }
  const inOtherOrder = new Map(other.tests.map((test) => [test.id, test]));
  const byOrder = lost.map((test) => describe({ ...test, ...(inOtherOrder.get(test.id) ?? { status: 'missing' as const }) }, 'order', 1, runs + 1));
  return { baseline: judged.baseline.filter(({ id }) => passed.has(id)), setAside: [...judged.setAside, ...byOrder], testFiles };
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
    else setAside.push(describe(first, own.every(({ status }) => status === 'failed') ? 'always-fails' : 'flaky', others.length, own.length));
  }
  return { baseline, setAside };
}

function describe(test: TestResult, reason: SetAsideTest['reason'], failures: number, runs: number): SetAsideTest {
  return { ...test, reason, failures, runs, failureInterval: wilsonInterval({ successes: failures, trials: runs }) };
}

/** How many of some failing tests pass where their file runs alone; at most five files are looked at. */
async function passingAlone(failing: readonly TestResult[], execute: (testFiles: readonly string[]) => Promise<TestRun>): Promise<number> {
  const ids = new Set(failing.map(({ id }) => id));
  const files = [...new Set(failing.map(({ file }) => file))].filter((file) => file !== '').slice(0, 5);
  let count = 0;
  for (const file of files) {
    const run = await execute([file]);
    if (run.status === 'completed') count += run.tests.filter(({ id, status }) => status === 'passed' && ids.has(id)).length;
  }
  return count;
}

/** Wilson's score interval of a proportion at 95 %. */
export function wilsonInterval(options: { successes: number; trials: number }): readonly [number, number] {
  const { successes, trials } = options;
  const z = 1.959964;
  const rate = successes / trials;
  const middle = (rate + (z * z) / (2 * trials)) / (1 + (z * z) / trials);
  const half = (z / (1 + (z * z) / trials)) * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
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
