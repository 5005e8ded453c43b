import { isTadpoleError, type StopReason } from '@tadpole/contracts';
import type { TurnContext } from './turn-context.js';

/** Why a run ended, with one line about a failed boundary. */
export interface Ending {
  readonly stopReason: StopReason;
  readonly error?: string;
}

/**
 * What a throw means: the caller's stop, the end of the time, or a failed boundary. A policy that says that its endpoint
 * failed has failed, also when the time ran out over it.
 */
export function interruption(context: TurnContext, error: unknown, boundary: 'policy-error' | 'sandbox-error'): Ending {
  if (context.options.signal?.aborted) return { stopReason: 'cancelled' };
  const isEndpointFailure = boundary === 'policy-error' && isTadpoleError(error) && error.code === 'policy';
  if (context.deadline.hasExpired() && !isEndpointFailure) return { stopReason: 'max-time' };
  return { stopReason: boundary, error: describeError(error) };
}

/** One line about a throw, with the code of a TadpoleError. */
export function describeError(error: unknown): string {
  return `${isTadpoleError(error) ? `${error.code}: ` : ''}${errorText(error)}`.split('\n')[0]!;
}

/** What a throw says; anything can be thrown, also what has no text. */
export function errorText(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return `a thrown ${typeof error} without a text`;
  }
}
