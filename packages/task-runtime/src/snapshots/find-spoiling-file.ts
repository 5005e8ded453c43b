import type { TestResult } from '@tadpole/contracts';

/**
 * The one file of a suite without which a test passes that fails beside it: found by halving, in the given order. At most
 * three of the failing tests' files are asked whether one passes alone.
 *
 * @returns `undefined` when none of them passes alone, or when it takes several files together to spoil it.
 */
export async function findSpoilingFile(options: {
  /** The files in the order in which the tests fail. */
  order: readonly string[];
  /** Tests that fail in that order. */
  victims: readonly TestResult[];
  /** Runs some of the files in one process. */
  run: (testFiles: readonly string[]) => Promise<{ readonly tests: readonly TestResult[] }>;
}): Promise<string | undefined> {
  const { order, victims, run } = options;
  const victim = await findVictim();
  if (victim === undefined) return undefined;
  let suspects = order.filter((file) => file !== victim.file);
  while (suspects.length > 1) {
    const half = Math.ceil(suspects.length / 2);
    const parts = [suspects.slice(0, half), suspects.slice(half)];
    const [first, second] = parts as [string[], string[]];
    if (await failsBeside(first)) suspects = first;
    else if (await failsBeside(second)) suspects = second;
    else return undefined;
  }
  return suspects[0];

  async function findVictim(): Promise<TestResult | undefined> {
    for (const file of [...new Set(victims.map((test) => test.file))].filter((name) => order.includes(name)).slice(0, 3)) {
      const { tests } = await run([file]);
      const passed = new Set(tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
      const found = victims.find((test) => test.file === file && passed.has(test.id));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async function failsBeside(files: readonly string[]): Promise<boolean> {
    const kept = new Set([...files, (victim as TestResult).file]);
    const { tests } = await run(order.filter((file) => kept.has(file)));
    return tests.find(({ id }) => id === (victim as TestResult).id)?.status !== 'passed';
  }
}
