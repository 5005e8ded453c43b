import type { TestResult } from '@tadpole/contracts';

/** Runs of one search at most: each is a part of the suite. */
const mostRuns = 60;
/** Files of failing tests that are asked whether those pass alone. */
const mostAlone = 10;

/**
 * A file of a suite that makes tests of other files fail by sharing their process: the files are reduced, in the given
 * order, to a set of which none can be left out without the failure going too (delta debugging).
 *
 * @returns `undefined` when no failing test passes where its file runs alone, or when the search takes too long.
 */
export async function findSpoilingFile(options: {
  /** The files in the order in which the tests fail. */
  order: readonly string[];
  /** Tests that fail in that order. */
  victims: readonly TestResult[];
  /** Runs some of the files in one process. */
  run: (testFiles: readonly string[]) => Promise<{ readonly tests: readonly TestResult[] }>;
}): Promise<string | undefined> {
  const { order, run } = options;
  const victims = await passingAlone();
  if (victims.size === 0) return undefined;
  let runs = 0;
  let kept = order;
  let victimFile: string | undefined;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < kept.length && kept.length > 2; ) {
      const rest = kept.filter((_, index) => index < start || index >= start + size);
      const failing = rest.length < 2 ? undefined : await failingFile(rest);
      if (failing === undefined) start += size;
      else [kept, victimFile] = [rest, failing];
    }
  }
  victimFile ??= await failingFile(kept);
  return victimFile === undefined || runs >= mostRuns ? undefined : kept.find((file) => file !== victimFile);

  /** The failing tests, without those that fail where their file runs alone. */
  async function passingAlone(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const files = [...new Set(options.victims.map(({ file }) => file))].filter((file) => order.includes(file));
    for (const file of files.slice(0, mostAlone)) {
      const { tests } = await run([file]);
      const passed = new Set(tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
      for (const { id } of options.victims) if (passed.has(id)) found.add(id);
    }
    return found;
  }

  async function failingFile(files: readonly string[]): Promise<string | undefined> {
    runs += 1;
    if (runs > mostRuns) return undefined;
    const { tests } = await run(files);
    return tests.find(({ id, status }) => status !== 'passed' && victims.has(id))?.file;
  }
}
