/**
 * What went wrong, as a closed union that callers and tests branch on (never on the message).
 *
 * - `invalid-input`: a value given to a function, or a file, does not have the expected form
 * - `invalid-config`: an unknown or ill-typed configuration key or flag
 * - `missing-dependency`: a binary, an optional package or a kernel feature is absent
 * - `sandbox`: the sandbox boundary failed (could not open, died, could not be cleaned)
 * - `engine`: the training or sampling engine failed
 * - `policy`: a model endpoint failed
 * - `storage`: a file or folder could not be written or read (full disk, no permission)
 * - `aborted`: the caller's signal ended the operation
 * - `unsupported`: valid, but not offered by this implementation
 */
export type TadpoleErrorCode =
  | 'invalid-input'
  | 'invalid-config'
  | 'missing-dependency'
  | 'sandbox'
  | 'engine'
  | 'policy'
  | 'storage'
  | 'aborted'
  | 'unsupported';

const marker = Symbol.for('tadpole.error');

/**
 * The one error that Tadpole packages throw at a caller. The message says what was expected, what
 * came, and what to do. A model's or a task's failure is never an error: it is data on the trajectory.
 */
export class TadpoleError extends Error {
  override readonly name = 'TadpoleError';
  readonly code: TadpoleErrorCode;
  /** Survives two copies of this package in one process; use {@link isTadpoleError}. */
  readonly [marker] = true;

  constructor(options: { code: TadpoleErrorCode; message: string; cause?: unknown }) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
  }
}

/** True for a {@link TadpoleError}, also one that another copy of this package made. */
export function isTadpoleError(value: unknown): value is TadpoleError {
  return value instanceof Error && marker in value;
}
