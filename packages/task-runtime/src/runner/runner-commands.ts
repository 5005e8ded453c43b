import { TadpoleError } from '@tadpole/contracts';
import type { CapturedOutput } from '../sandbox/captured-output.js';
import { commandAborted } from '../sandbox/command-aborted.js';
import type { RunnerConnection } from './open-runner-connection.js';

/** A command for a runner in a pid namespace of its own. */
export interface RunnerCommand {
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly stdin?: string | Uint8Array;
  readonly timeoutMs: number;
  readonly keep: { readonly headBytes: number; readonly tailBytes: number };
  /** Ends the command; the call then throws `aborted`. */
  readonly signal?: AbortSignal;
}

/** How a command of a runner ended. */
export interface RunnerResult {
  /** `128 + signal` for a signal; `null` when the time ran out. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
}

/** What the runner may take beyond a command's own time, to kill, to verify and to send what was kept. */
const graceMs = 60_000;

/**
 * Runs a command by a runner and resolves when no process of the sandbox but the runner is left. One at a time: the end of
 * one ends every other.
 *
 * @throws TadpoleError `sandbox` when the runner dies, lies, cannot start the command or cannot end it; `aborted` by the signal.
 */
export async function runByRunner(command: RunnerCommand & { connection: RunnerConnection }): Promise<RunnerResult> {
  const { connection, keep, timeoutMs, signal, user } = command;
  if (signal?.aborted) throw commandAborted(signal);
  const onAbort = () => {
    // Its own reply says nothing more than that of the command, which the call waits for.
    connection.request({ header: { operation: 'kill' }, replyBytes: 0 }).catch(() => {});
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const { reply, payload } = await connection.request({
      header: { operation: 'run', arguments: command.arguments, env: command.env, ...user, timeoutMs, ...keep },
      payload: typeof command.stdin === 'string' ? Buffer.from(command.stdin, 'utf8') : command.stdin,
      replyBytes: 2 * (keep.headBytes + keep.tailBytes),
      timeoutMs: Math.min(timeoutMs + graceMs, 2_147_483_647),
    });
    if (signal?.aborted) throw commandAborted(signal);
    if (reply.status !== 'ok' || reply.end === undefined) {
      const reason = 'reason' in reply ? reply.reason : 'got an answer without an end';
      throw new TadpoleError({ code: 'sandbox', message: `expected the runner to run ${command.arguments[0]}, ${reason}` });
    }
    const { exitCode, timedOut, stdout, stderr } = reply.end;
    const lengths = [stdout.head, stdout.tail, stderr.head, stderr.tail];
    if (lengths.reduce((sum, length) => sum + length) !== payload.length) {
      connection.close();
      throw new TadpoleError({ code: 'sandbox', message: 'expected the output that the runner announced, got another length' });
    }
    const [head, tail, errorHead, errorTail] = split(payload, lengths) as [Buffer, Buffer, Buffer, Buffer];
    return {
      exitCode: timedOut ? null : exitCode,
      timedOut,
      stdout: { head, tail, droppedBytes: stdout.droppedBytes },
      stderr: { head: errorHead, tail: errorTail, droppedBytes: stderr.droppedBytes },
    };
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function split(payload: Buffer, lengths: readonly number[]): readonly Buffer[] {
  let start = 0;
  return lengths.map((length) => {
    start += length;
    return payload.subarray(start - length, start);
  });
}
