import { isTadpoleError } from '@tadpole/contracts';

/** A signal that fires with the first of those that are given; `undefined` when none is. */
export function firstOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length < 2 ? given[0] : AbortSignal.any(given);
}

/** Whether an error is what a process throws that its deadline ended, which is no failure. */
export function isEndOf(deadline: AbortSignal | undefined, error: unknown): boolean {
  return deadline?.aborted === true && isTadpoleError(error) && error.code === 'aborted';
}
