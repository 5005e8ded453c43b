/**
 * Runs up to `size` jobs at a time and yields their results in the order of the jobs, whichever ends first.
 * A job is started only when all before the window have been consumed, so what a consumer does with a result
 * is seen by every job that starts later, and always by the same ones. On an early return or a throw,
 * cancels the running jobs and waits for them.
 */
export async function* orderedWindow<Job, Result>(options: {
  jobs: AsyncIterator<Job>;
  size: number;
  run: (job: Job) => Promise<Result>;
  /** Makes running jobs end soon; called once, also when none is left. */
  cancel: () => void;
}): AsyncGenerator<{ job: Job; result: Result }> {
  const { jobs, size, run, cancel } = options;
  const running: { job: Job; settled: Promise<PromiseSettledResult<Result>> }[] = [];
  let exhausted = false;
  try {
    while (true) {
      while (!exhausted && running.length < size) {
        const step = await jobs.next();
        if (step.done === true) exhausted = true;
        else running.push({ job: step.value, settled: settle(run(step.value)) });
      }
      const head = running.shift();
      if (head === undefined) return;
      const outcome = await head.settled;
      if (outcome.status === 'rejected') throw outcome.reason;
      yield { job: head.job, result: outcome.value };
    }
  } finally {
    cancel();
    await jobs.return?.();
    await Promise.all(running.map(({ settled }) => settled));
  }
}

async function settle<Result>(promise: Promise<Result>): Promise<PromiseSettledResult<Result>> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome as PromiseSettledResult<Result>;
}
