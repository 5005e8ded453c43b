import { setTimeout } from 'node:timers/promises';

/** Time as the talk with an endpoint sees it, so that a test decides how long a wait is. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects as soon as the signal aborts. */
  sleep(options: { ms: number; signal?: AbortSignal }): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: ({ ms, signal }) => setTimeout(ms, undefined, { signal }),
};
