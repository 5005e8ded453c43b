/** A process that goes on whether or not anyone listens. */
export interface BackgroundProcess<Event, Result> {
  /** What the process yields, from its beginning, and its result; throws what it threw. For one listener. */
  follow(): AsyncGenerator<Event, Result>;
  /** Resolves when the process has ended, to whether it came to its result. */
  readonly ended: Promise<boolean>;
}

/** Begins a process and keeps what it yields until someone follows it. Only the process itself can end it, by a signal of its own. */
export function runInBackground<Event, Result>(process: AsyncGenerator<Event, Result>): BackgroundProcess<Event, Result> {
  const events: Event[] = [];
  let outcome: { readonly result: Result } | { readonly error: unknown } | undefined;
  let wake = () => {};
  const run = async () => {
    try {
      let step = await process.next();
      for (; !step.done; step = await process.next()) {
        events.push(step.value);
        wake();
      }
      outcome = { result: step.value };
    } catch (error) {
      outcome = { error };
    }
    wake();
    return 'result' in outcome;
  };
  const ended = run();
  return {
    ended,
    async *follow() {
      for (;;) {
        while (events.length > 0) yield events.shift() as Event;
        if (outcome) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    },
  };
}
