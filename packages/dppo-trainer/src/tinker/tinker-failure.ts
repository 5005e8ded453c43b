import { TadpoleError } from '@tadpole/contracts';

/**
 * What a Tinker server's failure was (tinker-protocol.md section 1.3).
 *
 * - `unreachable`: no whole answer after all tries
 * - `busy`: 429 or 5xx after all tries
 * - `billing`: 402
 * - `unauthorised`: 401 or 403
 * - `not-found`: an unknown model, session, sampler or future; a session that missed its heartbeats looks like this
 * - `refused`: the request is wrong, by 400, 409 or 422
 * - `failed`: the operation was begun and failed
 * - `expired`: the result was dropped before it was fetched
 * - `stuck`: no result in time
 * - `malformed`: an answer of another form
 */
export type TinkerFailureKind =
  | 'unreachable'
  | 'busy'
  | 'billing'
  | 'unauthorised'
  | 'not-found'
  | 'refused'
  | 'failed'
  | 'expired'
  | 'stuck'
  | 'malformed';

/** The cause of a TadpoleError `engine` of the Tinker client. */
export class TinkerFailure extends Error {
  override readonly name = 'TinkerFailure';
  readonly kind: TinkerFailureKind;
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  /** How long the server asks to wait before another try. */
  readonly retryAfterMs: number | undefined;

  constructor(options: {
    kind: TinkerFailureKind;
    message: string;
    status?: number | undefined;
    retryAfterMs?: number | undefined;
    cause?: unknown;
  }) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = options.kind;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The kind of a failure of the Tinker client; `undefined` for any other error. */
export function tinkerFailureKind(error: unknown): TinkerFailureKind | undefined {
  const cause = error instanceof TinkerFailure ? error : error instanceof Error ? error.cause : undefined;
  return cause instanceof TinkerFailure ? cause.kind : undefined;
}

const advice: Readonly<Record<TinkerFailureKind, string>> = {
  unreachable: 'check the address and that the server runs',
  busy: 'try later, or with less at a time',
  billing: 'see to the account',
  unauthorised: 'check the API key',
  'not-found': 'the server may have been started again, or the session may have expired; load the last saved state into a new client',
  refused: 'mend the request',
  failed: "see the server's log",
  expired: 'take the step again from the last saved state',
  stuck: "see the server's log and queue",
  malformed: "check that it is a Tinker server, and its client's profile",
};

/** The failure as the error of the contracts; says what to do. */
export function engineError(failure: TinkerFailure): TadpoleError {
  return new TadpoleError({ code: 'engine', message: `Tinker server: ${failure.message}; ${advice[failure.kind]}.`, cause: failure });
}

/** Passes what a call throws on, its failures as TadpoleError `engine`. */
export async function asEngineError<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof TinkerFailure ? engineError(error) : error;
  }
}
