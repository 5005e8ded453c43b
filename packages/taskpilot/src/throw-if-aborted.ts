import { TadpoleError } from '@tadpole/contracts';

/** Throws TadpoleError `aborted` when the signal has fired; `what` begins the message. */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted === true)
    throw new TadpoleError({ code: 'aborted', message: `${what} was ended by its signal.`, cause: signal.reason });
}
