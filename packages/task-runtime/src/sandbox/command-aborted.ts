import { TadpoleError } from '@tadpole/contracts';

/** What a command throws that its caller's signal ended. */
export function commandAborted(signal: AbortSignal | undefined): TadpoleError {
  return new TadpoleError({ code: 'aborted', message: 'the command was ended by its signal', cause: signal?.reason });
}
