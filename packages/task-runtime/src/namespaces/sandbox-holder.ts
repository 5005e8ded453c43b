import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { TadpoleError } from '@tadpole/contracts';
import { systemEnvironment } from '../sandbox/run-program.js';
import { killProcess, processStart } from './process-tree.js';

/** The process that keeps a sandbox's mount namespace alive; it does nothing else and ends with this process. */
export interface SandboxHolder {
  readonly pid: number;
  /** Whether it still holds the namespace. */
  isAlive(): boolean;
  /** Ends it. What was mounted is gone once no call of the sandbox lives either. */
  close(): Promise<void>;
}

const readyLine = 'tadpole-ready';

/**
 * Starts a shell in a mount namespace of its own, lets it lay the sandbox's files down, and keeps it waiting for the end
 * of its input, which comes at the latest when this process is gone.
 *
 * @throws TadpoleError `sandbox` with what the shell said when it could not lay them down; `aborted` by the signal.
 */
export async function holdSandbox(options: {
  /** Program and arguments that make the namespace and run the words that follow. */
  enter: readonly string[];
  setUp: string;
  signal?: AbortSignal;
}): Promise<SandboxHolder> {
  const { signal } = options;
  const script = `${options.setUp}\necho ${readyLine} >&3\nexec 3>&-\nread -r end || :`;
  const [file = '', ...words] = [...options.enter, '/bin/sh', '-c', script];
  const child = spawn(file, words, { cwd: '/', env: systemEnvironment, stdio: ['pipe', 'ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(0, 2000);
  });
  // Its end is seen by its exit.
  child.stdin?.on('error', () => {});
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', (cause) => reject(failed(`got: ${cause.message}`, cause)));
      child.once('close', (code, end) =>
        reject(
          signal?.aborted
            ? new TadpoleError({ code: 'aborted', message: 'the sandbox was not opened: its signal is aborted', cause: signal.reason })
            : failed(`got exit ${code ?? end}: ${said.trim()}`),
        ),
      );
      (child.stdio[3] as Readable).on('data', (chunk: Buffer) => {
        if (chunk.toString('latin1').includes(readyLine)) resolve();
      });
    });
  } finally {
    signal?.removeEventListener('abort', kill);
  }
  const pid = child.pid as number;
  const start = processStart(pid);
  const isAlive = () => child.exitCode === null && child.signalCode === null && processStart(pid) === start;
  return {
    pid,
    isAlive,
    async close() {
      if (isAlive()) killProcess(pid);
      await ended;
    },
  };
}

function failed(got: string, cause?: unknown): TadpoleError {
  return new TadpoleError({
    code: 'sandbox',
    message: `expected to lay down the files of a sandbox in namespaces of its own, ${got}`,
    cause,
  });
}
