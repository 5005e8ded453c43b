import { type Snapshot, TadpoleError, type TestExecutor, type TestResult, type TestRun } from '@tadpole/contracts';
import { findSpoilingFile } from './find-spoiling-file.js';
import { judgeRuns, type SetAsideTest, setAsideTest, splitByOrder } from './judge-runs.js';

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
    const other = own.failing.length > bound ? undefined : await measureOtherOrder(own, { run, ...options });
    const { victims, order } =
      other === undefined ? { victims: own.failing, order: testFiles } : { victims: other.byOrder, order: other.order };
    if (other !== undefined && victims.length <= bound) {
      const failed = [...own.failing, ...victims, ...lost];
      if (failed.length > bound)
        throw refuse(source, `${failed.length} of its ${total} tests fail always or by sharing one process${list(failed)}`);
      return { baseline: other.baseline, setAside: [...own.setAside, ...victims, ...lost], testFiles: own.loaded };
    }
    const spoiling = round < mostSpoiling ? await findSpoilingFile({ order, victims, run: createPartialRun(options) }) : undefined;
    if (spoiling === undefined) {
      const how =
        other === undefined
          ? `fail in all of ${options.runs} untouched runs`
          : 'pass only in one order of its files, lost by sharing one process,';
      throw refuse(source, `${victims.length} of its tests ${how}${list(victims)}. Its output:\n${own.output}`);
    }
    testFiles = testFiles.filter((file) => file !== spoiling);
    const beside = [...own.baseline, ...own.setAside].filter(({ file }) => file === spoiling);
    lost.push(...beside.map((test) => setAsideTest(test, 'file', options.runs, options.runs)));
  }
}

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

/** Runs some files for a search: what gives no report has no tests. */
function createPartialRun({ snapshot, executor, timeoutMs, signal }: MeasureOptions) {
  return async (testFiles: readonly string[]) => {
    const run = await executor.execute({ snapshot, edits: [], testFiles, timeoutMs, signal });
    return { tests: run.status === 'completed' ? run.tests : [] };
  };
}

/** The suite's runs in one order of its files. */
async function measureOrder(testFiles: readonly string[], { run, runs }: { run: SuiteRun; runs: number }) {
  const own: Completed[] = [];
  for (let count = 0; count < runs; count += 1) own.push(await run(testFiles));
  const { baseline, setAside } = judgeRuns(own.map(({ tests }) => tests));
  const failing = setAside.filter(({ reason }) => reason === 'always-fails');
  const unloaded = new Set(failing.filter(({ name }) => name === '(load)').map(({ file }) => file));
  const loaded = testFiles.filter((file) => !unloaded.has(file));
  const counted = baseline.length + setAside.filter(({ reason }) => reason !== 'skipped').length;
  return { baseline, setAside, failing, loaded, counted, output: own.at(-1)?.output ?? '' };
}

/** The suite once more with its files in another order, where it has more than one. */
async function measureOtherOrder(
  own: Awaited<ReturnType<typeof measureOrder>>,
  options: Pick<MeasureOptions, 'snapshot' | 'runs' | 'seed'> & { run: SuiteRun },
) {
  const { baseline, loaded } = own;
  if (baseline.length === 0)
    throw refuse(options.snapshot.source, `none of its tests passed in all of ${options.runs} untouched runs. Its output:\n${own.output}`);
  if (loaded.length < 2) return { baseline, byOrder: [], order: loaded };
  const order = shuffled(loaded, options.seed);
  const { tests } = await options.run(order, ', with its files in another order');
  return { ...splitByOrder(baseline, tests, options.runs + 1), order };
}

type Completed = Extract<TestRun, { status: 'completed' }>;

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
