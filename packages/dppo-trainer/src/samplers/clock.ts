import { setTimeout } from 'node:timers/promises';

/** Time as a sampler sees it, so that a test decides when a wait is over. */
export interface SamplerClock {
  /** Resolves after `ms` milliseconds; rejects as soon as the signal aborts. */
  sleep(options: { ms: number; signal?: AbortSignal }): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: SamplerClock = {
  sleep: ({ ms, signal }) => setTimeout(ms, undefined, signal === undefined ? {} : { signal }),
};
