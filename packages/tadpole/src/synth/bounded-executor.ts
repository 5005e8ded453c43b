import type { TestExecutor } from '@tadpole/contracts';

/** What a run of changed code may take beside what the untouched suite took: another machine load, and slower code. */
const [spareMs, factor] = [5_000, 5];

/** An executor of one repository whose runs get a bound of their own once its untouched suite has been run. */
export interface BoundedExecutor extends TestExecutor {
  /** From now on no run may take longer than a multiple of the longest so far: an endless loop is told from slow code soon. */
  bound(): void;
}

/** Passes runs on and notes how long they take. */
export function boundExecutions(options: { executor: TestExecutor }): BoundedExecutor {
  let [longestMs, boundMs] = [0, Number.POSITIVE_INFINITY];
  return {
    async execute(run) {
      const result = await options.executor.execute({ ...run, timeoutMs: Math.min(run.timeoutMs, boundMs) });
      if (boundMs === Number.POSITIVE_INFINITY) longestMs = Math.max(longestMs, result.durationMs);
      return result;
    },
    bound() {
      boundMs = Math.round(spareMs + factor * longestMs);
    },
  };
}
