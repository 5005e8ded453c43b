import type { Clock } from '../src/index.js';

/** A clock that stands still until a test moves it. */
export function virtualClock(startMs = 1_700_000_000_000): Clock & {
  /** Resolves when somebody sleeps for that long. */
  asleep(ms: number): Promise<void>;
  /** Waits until somebody sleeps for a time that is accepted, then lets that much time pass. Returns it. */
  elapse(accept: number | ((ms: number) => boolean)): Promise<number>;
} {
  let nowMs = startMs;
  const sleepers = new Set<{ untilMs: number; resolve: () => void }>();
  const sleeperOf = async (accepts: (ms: number) => boolean): Promise<number> => {
    for (;;) {
      const left = [...sleepers].map(({ untilMs }) => untilMs - nowMs).find(accepts);
      if (left !== undefined) return left;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    now: () => nowMs,
    sleep: ({ ms, signal }) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { untilMs: nowMs + ms, resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    async asleep(ms) {
      await sleeperOf((left) => left === ms);
    },
    async elapse(accept) {
      const ms = await sleeperOf(typeof accept === 'number' ? (left) => left === accept : accept);
      nowMs += ms;
      for (const sleeper of sleepers) {
        if (sleeper.untilMs > nowMs) continue;
        sleepers.delete(sleeper);
        sleeper.resolve();
      }
      return ms;
    },
  };
}
