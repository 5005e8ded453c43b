import { TadpoleError } from '@tadpole/contracts';

/** The latest time that a date can hold (ECMA-262, section 21.4.1.1). */
const LATEST_MS = 8.64e15;

/** Milliseconds since the epoch, from the caller's clock. @throws TadpoleError `invalid-input` when they are no time. */
export function readStart(now: () => number): number {
  const startedMs = now();
  if (Math.abs(startedMs) <= LATEST_MS) return startedMs;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected now() to give milliseconds since the epoch, received ${startedMs}. Give a clock such as Date.now.`,
  });
}
