import type { Clock } from './clock.js';

/** A signal that aborts with the caller's or when the time is over. Call `end` when what it bounds is done. */
export function timeLimit(options: { ms: number; clock: Clock; signal?: AbortSignal }): {
  readonly signal: AbortSignal;
  isOver(): boolean;
  end(): void;
} {
  const { ms, clock, signal } = options;
  const over = new AbortController();
  const ended = new AbortController();
  clock.sleep({ ms, signal: ended.signal }).then(
    () => over.abort(),
    () => {},
  );
  return {
    signal: signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]),
    isOver: () => over.signal.aborted,
    end: () => ended.abort(),
  };
}
