import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type RunOptions, type RunResult, TadpoleError } from '@tadpole/contracts';

/**
 * Runs `bash -c` as this user in its own process group, which is killed at the end. Gives the command a small
 * environment of its own. Contains nothing; for tests.
 */
export function runUnsafeCommand(options: RunOptions & { cwd: string; timeoutMs: number; outputBytes: number }): Promise<RunResult> {
  const { signal } = options;
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const aborted = () => new TadpoleError({ code: 'aborted', message: 'Expected the command to finish, received the signal to stop.' });
    if (signal?.aborted) return reject(aborted());
    const child = spawn('bash', ['-c', options.command], {
      cwd: options.cwd,
      detached: true,
      env: { PATH: process.env.PATH, HOME: options.cwd, LANG: 'C.UTF-8', ...options.env },
    });
    let timedOut = false;
    const kill = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // The group has ended already.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, options.timeoutMs);
    signal?.addEventListener('abort', kill, { once: true });
    const stdout = collect(child.stdout, options.outputBytes);
    const stderr = collect(child.stderr, options.outputBytes);
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin);
    child.on('error', (cause) =>
      reject(new TadpoleError({ code: 'sandbox', message: `bash could not be started: ${cause.message}`, cause })),
    );
    // A background process keeps the streams open: it is ended with the main process.
    child.on('exit', kill);
    child.on('close', (code, name) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      if (signal?.aborted) return reject(aborted());
      const exitCode = timedOut ? null : (code ?? 128 + (name === null ? 0 : constants.signals[name]));
      const droppedBytes = stdout.droppedBytes() + stderr.droppedBytes();
      resolve({
        exitCode,
        timedOut,
        stdout: stdout.text(),
        stderr: stderr.text(),
        droppedBytes,
        durationMs: performance.now() - startedMs,
      });
    });
  });
}

/** Keeps the first bytes of a stream and counts the rest. */
function collect(stream: NodeJS.ReadableStream, limit: number): { text: () => string; droppedBytes: () => number } {
  const chunks: Buffer[] = [];
  let kept = 0;
  let dropped = 0;
  stream.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, limit - kept);
    // An empty view would keep its whole chunk in memory.
    if (part.length > 0) chunks.push(part);
    kept += part.length;
    dropped += chunk.length - part.length;
  });
  return { text: () => Buffer.concat(chunks).toString('utf8'), droppedBytes: () => dropped };
}
