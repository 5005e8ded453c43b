import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { TadpoleError } from '@tadpole/contracts';
import { type CapturedOutput, captureOutput } from '../sandbox/captured-output.js';
import { commandAborted } from '../sandbox/command-aborted.js';

/** How a process of this machine ended. */
export interface ProcessResult {
  /** `128 + signal` for a signal; `null` when the time ran out. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
}

/**
 * Runs a process of this user and kills its process group at its end, at the time or at the signal. Not covered: a process
 * that leaves the group, such as by `setsid`.
 *
 * @throws TadpoleError `sandbox` when it cannot be started; `aborted` by the signal.
 */
export async function runProcessGroup(options: {
  arguments: readonly string[];
  env: Readonly<Record<string, string>>;
  stdin?: string | Uint8Array;
  timeoutMs: number;
  keep: { headBytes: number; tailBytes: number };
  signal?: AbortSignal;
}): Promise<ProcessResult> {
  const { signal } = options;
  if (signal?.aborted) throw commandAborted(signal);
  const [file = '', ...words] = options.arguments;
  const input = options.stdin === undefined ? 'ignore' : 'pipe';
  const child = spawn(file, words, { cwd: '/', env: options.env, stdio: [input, 'pipe', 'pipe'], detached: true });
  const captures = [child.stdout, child.stderr].map((stream) => {
    const capture = captureOutput(options.keep);
    stream?.on('data', (chunk: Buffer) => capture.push(chunk));
    return capture;
  });
  // A command that does not read its input closes it: EPIPE is no failure.
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.stdin);
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new TadpoleError({ code: 'sandbox', message: `expected to start ${file}, got: ${cause.message}`, cause })),
    );
    child.once('exit', (code, endSignal) => resolve(code ?? 128 + signalNumber(endSignal)));
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, options.timeoutMs);
  const onAbort = () => killGroup(child.pid);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const exitCode = await ended;
    killGroup(child.pid);
    // A process that left the group may hold the pipes for ever.
    await Promise.race([closed, sleep(1000, undefined, { ref: false })]);
    if (signal?.aborted) throw commandAborted(signal);
    const [stdout, stderr] = captures.map((capture) => capture.end()) as [CapturedOutput, CapturedOutput];
    return { exitCode: timedOut ? null : exitCode, timedOut, stdout, stderr };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}

function signalNumber(name: NodeJS.Signals | null): number {
  return name === null ? 9 : constants.signals[name];
}
