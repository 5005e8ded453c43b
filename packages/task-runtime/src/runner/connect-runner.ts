import type { Readable, Writable } from 'node:stream';
import type { Sandbox, TadpoleError } from '@tadpole/contracts';
import { openRunnerConnection } from './open-runner-connection.js';
import { runnerFiles } from './runner-files.js';

/** A sandbox's files, served by a process inside it. */
export interface Runner extends Pick<Sandbox, 'readFile' | 'writeFile' | 'glob'> {
  /** Why the runner no longer serves; resolves once and never rejects. */
  readonly ended: Promise<TadpoleError>;
  /** Closes the streams, on which the runner ends; what is in flight rejects with `sandbox`. Idempotent. */
  close(): void;
}

/**
 * Serves files through a running runner (see {@link runnerArguments}) over its standard input and output. Nothing that
 * comes back is trusted: any violation of the protocol ends the connection.
 *
 * Every method throws TadpoleError `invalid-input` for what is refused, `sandbox` when the runner died, lied or did not
 * answer in time, and `aborted` by its signal.
 */
export function connectRunner(options: {
  /** The runner's standard input. */
  input: Writable;
  /** The runner's standard output. */
  output: Readable;
  workspacePath: string;
  /** Bytes of one file that is read or written; at most 256 MiB. */
  fileBytes: number;
  /** Longest wait for one answer in milliseconds. @default 30000 */
  answerTimeoutMs?: number;
}): Runner {
  const { input, output, answerTimeoutMs = 30_000 } = options;
  const connection = openRunnerConnection({ input, output, answerTimeoutMs });
  return { ...runnerFiles({ connection, ...options }), ended: connection.ended, close: connection.close };
}
