import { TadpoleError } from '@tadpole/contracts';

/** The end of a run's time, joined with the caller's wish to stop. */
export interface Deadline {
  /** Aborted by the caller's signal or when the time has run out. */
  readonly signal: AbortSignal;
  hasExpired(): boolean;
  /**
   * Does the work, or throws TadpoleError `aborted` when the signal is aborted before it began or `graceMs` before
   * it ended: work that hears the signal can end by itself first, and work that ignores it is abandoned.
   */
  race<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Stops the clock, aborts what was abandoned and lets go of the caller's signal. */
  close(): void;
}

/** Starts the clock. `timeoutMs` is real time, since it has to interrupt real work. */
export function openDeadline(options: {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Time that aborted work has to end by itself. @default 2_000 */
  graceMs?: number;
}): Deadline {
  const { graceMs = 2_000 } = options;
  const controller = new AbortController();
  let expired = false;
  const stop = () => controller.abort(options.signal?.reason);
  const timer = setTimeout(() => {
    expired = true;
    controller.abort();
  }, options.timeoutMs);
  if (options.signal?.aborted) stop();
  else options.signal?.addEventListener('abort', stop, { once: true });

  return {
    signal: controller.signal,
    hasExpired: () => expired,
    race(work) {
      return new Promise((resolve, reject) => {
        if (controller.signal.aborted) return reject(aborted());
        let grace: NodeJS.Timeout | undefined;
        const onAbort = () => {
          grace = setTimeout(() => reject(aborted()), graceMs);
        };
        controller.signal.addEventListener('abort', onAbort, { once: true });
        work()
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(grace);
            controller.signal.removeEventListener('abort', onAbort);
          });
      });
    },
    close() {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', stop);
      controller.abort();
    },
  };
}

function aborted(): TadpoleError {
  return new TadpoleError({ code: 'aborted', message: 'Expected the work to end in time, received the signal to stop.' });
}
