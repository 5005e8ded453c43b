import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { type Clock, LONGEST_TIMER_MS, systemClock } from './clock.js';

/** A place among the requests in flight. */
export interface RequestPermit {
  /** Gives the place back, once. `overloaded` lowers the limit; `pauseMs` keeps every further request waiting that long. */
  release(options: { outcome: 'answered' | 'overloaded' | 'neither'; pauseMs?: number }): void;
}

/** Decides how many requests an endpoint works on at a time. Give one to every policy that shares the endpoint. */
export interface RequestLimiter {
  /** Waits for a place, first come, first served; rejects with the signal's reason when it aborts. */
  acquire(options?: { signal?: AbortSignal }): Promise<RequestPermit>;
  /** Until when the endpoint's last pause keeps every request waiting, in milliseconds since the epoch; 0 before any pause. */
  readonly pausedUntilMs: number;
  /** Requests in flight now. */
  readonly inFlight: number;
  /** Requests in flight at most, now. */
  readonly limit: number;
}

const optionsSchema = z
  .strictObject({
    initialLimit: z.int().positive().default(32),
    minLimit: z.int().positive().default(1),
    maxLimit: z.int().positive().default(512),
    decreaseFactor: z.number().gt(0).lt(1).default(0.5),
  })
  .refine(({ initialLimit, minLimit, maxLimit }) => minLimit <= initialLimit && initialLimit <= maxLimit, {
    message: 'expected minLimit ≤ initialLimit ≤ maxLimit',
  });

interface Waiter {
  readonly admit: (permit: RequestPermit) => void;
}

/**
 * A limiter that finds the endpoint's capacity by itself: additive increase (one more request after a full window of
 * answers), multiplicative decrease when the endpoint says that it is overloaded (Chiu and Jain 1989, as in TCP). One
 * burst of refusals lowers the limit once: only a request that began after the last decrease counts.
 *
 * @throws TadpoleError `invalid-config` for limits that are not positive integers in order.
 */
export function createAdaptiveLimiter(
  options: {
    /** @default 32 */
    initialLimit?: number;
    /** @default 1 */
    minLimit?: number;
    /** @default 512 */
    maxLimit?: number;
    /** What the limit is multiplied with on an overload, in (0, 1). @default 0.5 */
    decreaseFactor?: number;
    /** @default the machine's */
    clock?: Clock;
  } = {},
): RequestLimiter {
  const { clock = systemClock, ...limits } = options;
  const parsed = optionsSchema.safeParse(limits);
  if (!parsed.success)
    throw new TadpoleError({ code: 'invalid-config', message: `createAdaptiveLimiter: ${z.prettifyError(parsed.error)}` });
  const { initialLimit, minLimit, maxLimit, decreaseFactor } = parsed.data;
  const waiting: Waiter[] = [];
  let limit = initialLimit;
  let inFlight = 0;
  let decreases = 0;
  let pausedUntilMs = 0;
  let wake: AbortController | undefined;

  function admitWaiting(): void {
    while (waiting.length > 0 && inFlight < Math.floor(limit)) {
      const pauseMs = pausedUntilMs - clock.now();
      if (pauseMs > 0) {
        wakeAfter(pauseMs);
        return;
      }
      waiting.shift()!.admit(openPermit());
    }
  }

  function wakeAfter(ms: number): void {
    if (wake !== undefined) return;
    wake = new AbortController();
    clock.sleep({ ms: Math.min(ms, LONGEST_TIMER_MS), signal: wake.signal }).then(
      () => {
        wake = undefined;
        admitWaiting();
      },
      () => {},
    );
  }

  function openPermit(): RequestPermit {
    inFlight += 1;
    const decreasesBefore = decreases;
    let isOpen = true;
    return {
      release({ outcome, pauseMs = 0 }) {
        if (!isOpen) return;
        isOpen = false;
        const isFull = inFlight >= Math.floor(limit);
        inFlight -= 1;
        if (outcome === 'answered' && isFull) limit = Math.min(maxLimit, limit + 1 / limit);
        if (outcome === 'overloaded' && decreasesBefore === decreases) {
          limit = Math.max(minLimit, Math.floor(limit * decreaseFactor));
          decreases += 1;
        }
        if (pauseMs > 0) pausedUntilMs = Math.max(pausedUntilMs, clock.now() + pauseMs);
        admitWaiting();
      },
    };
  }

  return {
    acquire({ signal } = {}) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const giveUp = () => {
          waiting.splice(waiting.indexOf(waiter), 1);
          if (waiting.length === 0) {
            wake?.abort();
            wake = undefined;
          }
          reject(signal?.reason);
        };
        const waiter: Waiter = {
          admit(permit) {
            signal?.removeEventListener('abort', giveUp);
            resolve(permit);
          },
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        waiting.push(waiter);
        admitWaiting();
      });
    },
    get pausedUntilMs() {
      return pausedUntilMs;
    },
    get inFlight() {
      return inFlight;
    },
    get limit() {
      return Math.floor(limit);
    },
  };
}
