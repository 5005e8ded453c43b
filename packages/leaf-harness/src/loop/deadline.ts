import { TadpoleError } from '@tadpole/contracts';

/** The end of a run's time, joined with the caller's wish to stop. */
export interface Deadline {
  /** Aborted by the caller's signal or when the time has run out. */
  readonly signal: AbortSignal;
  hasExpired(): boolean;
  /** The promise, or a rejection with TadpoleError `aborted` as soon as `signal` is: also for work that ignores the signal. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Stops the clock and lets go of the caller's signal. */
  close(): void;
}

/** Starts the clock. `timeoutMs` is real time, since it has to interrupt real work. */
export function openDeadline(options: { timeoutMs: number; signal?: AbortSignal }): Deadline {
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
    race(promise) {
      return new Promise((resolve, reject) => {
        const abort = () =>
          reject(new TadpoleError({ code: 'aborted', message: 'Expected the work to end in time, received the signal to stop.' }));
        if (controller.signal.aborted) abort();
        else controller.signal.addEventListener('abort', abort, { once: true });
        promise.then(resolve, reject).finally(() => controller.signal.removeEventListener('abort', abort));
      });
    },
    close() {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', stop);
    },
  };
}
