import { setTimeout } from 'node:timers/promises';

/** Time as a policy sees it, so that a test decides when a wait is over. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects as soon as the signal aborts. */
  sleep(options: { ms: number; signal?: AbortSignal }): Promise<void>;
}

/** The longest wait of a timer; a longer one would be none. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: ({ ms, signal }) => setTimeout(ms, undefined, { signal }),
};
