import { isTadpoleError, type RolloutPhase, type Unscored } from '@tadpole/contracts';
import { openDeadline } from '../loop/deadline.js';
import type { RolloutDeadlines } from './rollout-deadlines.js';

/** How a phase ended: by itself, or by its deadline; then with what its work gave all the same, once the signal told it to stop. */
export type PhaseResult<Value> =
  | { readonly status: 'done'; readonly value: Value }
  | { readonly status: 'timeout'; readonly failure: Unscored; readonly value?: Value };

/** The deadlines of one rollout at work. */
export interface PhaseClock {
  /**
   * Does a phase's work within its deadline and the total. Work that ignores the signal is abandoned; `late` takes
   * what it gives after all.
   *
   * @throws what the work throws while its time lasts.
   */
  run<Value>(options: {
    phase: Exclude<RolloutPhase, 'total'>;
    work: (signal: AbortSignal) => Promise<Value>;
    late?: (value: Value) => void;
  }): Promise<PhaseResult<Value>>;
  /** Whether there is time for another attempt. */
  hasTime(): boolean;
}

/** Starts with the whole total; only the time of phases is taken from it. */
export function createPhaseClock(options: { deadlines: RolloutDeadlines; now: () => number; signal: AbortSignal }): PhaseClock {
  const { deadlines, now, signal } = options;
  let spentMs = 0;
  const left = () => deadlines.totalMs - spentMs;
  return {
    hasTime: () => left() > 0,
    async run({ phase, work, late }) {
      const ownMs = deadlines[`${phase}Ms`];
      const blamed: RolloutPhase = left() < ownMs ? 'total' : phase;
      const timeoutMs = Math.max(1, Math.min(ownMs, left()));
      const deadline = openDeadline({ timeoutMs, signal, graceMs: deadlines.graceMs });
      const startedMs = now();
      let isOver = false;
      const failure = (): Unscored => ({
        status: 'unscored',
        reason: 'timeout',
        phase: blamed,
        boundary: phase === 'grade' ? 'grader' : phase === 'open' ? 'sandbox' : 'harness',
        detail: `${blamed}: expected an end within ${timeoutMs} ms, during the phase ${phase}`,
      });
      try {
        const value = await deadline.race(async () => {
          const result = await work(deadline.signal);
          if (isOver) late?.(result);
          return result;
        });
        return deadline.hasExpired() ? { status: 'timeout', failure: failure(), value } : { status: 'done', value };
      } catch (error) {
        const isStopped = deadline.hasExpired() && (!isTadpoleError(error) || error.code === 'aborted');
        if (isStopped) return { status: 'timeout', failure: failure() };
        throw error;
      } finally {
        isOver = true;
        spentMs += Math.max(0, now() - startedMs);
        deadline.close();
      }
    },
  };
}
