import { TadpoleError } from '@tadpole/contracts';

/** The error of a call that its caller's signal ended. */
export function abortedError(signal: AbortSignal | undefined): TadpoleError {
  return new TadpoleError({ code: 'aborted', message: 'The call to the Tinker server was ended by its signal.', cause: signal?.reason });
}
