import { isTadpoleError, type TadpoleErrorCode } from '@tadpole/contracts';

/** 0 done · 1 the thing asked about does not hold · 2 the call or its input is wrong · 3 an infrastructure failure. */
export type ExitCode = 0 | 1 | 2 | 3;

const byCode: Record<TadpoleErrorCode, ExitCode> = {
  'invalid-input': 2,
  'invalid-config': 2,
  unsupported: 2,
  'missing-dependency': 3,
  sandbox: 3,
  engine: 3,
  policy: 3,
  storage: 3,
  aborted: 3,
};

/** The exit code of a command that threw. */
export function exitCodeOf(error: unknown): ExitCode {
  return isTadpoleError(error) ? byCode[error.code] : 3;
}
