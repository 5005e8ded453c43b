import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { TadpoleError } from '@tadpole/contracts';
import { type CapturedOutput, captureOutput } from '../sandbox/captured-output.js';
import { commandAborted } from '../sandbox/command-aborted.js';
import { watchMemory } from './memory-watch.js';
import { openPipe, type PipePaths } from './output-pipes.js';
import { childProcesses, killProcess, processStart } from './process-tree.js';

/** How a contained process ended. */
export interface ContainedResult {
  /** `128 + signal` for a signal; `null` when the time ran out. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
}

/** What a launcher says through the status pipe. */
export type ReadStatus = (text: string) => { started: boolean; firstProcess?: number };

const endDeadlineMs = 10_000;

/** Longest time that a launcher is given to start its first process, or to end after it. */
const launchDeadlineMs = 5_000;

/**
 * Runs a launcher and resolves when its main process has ended and no process of its namespaces lives. The end is that
 * of the process, not of its output; output is drained and capped while it is read.
 *
 * @throws TadpoleError `sandbox` when the command was never started or a process survives the kill; `aborted` by the signal.
 */
export async function runContained(options: {
  arguments: readonly string[];
  stdin?: string | Uint8Array;
  timeoutMs: number;
  keep: { headBytes: number; tailBytes: number };
  readStatus: ReadStatus;
  /** Read from file descriptor 4. */
  inputFile?: string;
  /** FIFOs for its output. @default sockets of Node.js */
  pipes?: PipePaths;
  /** Memory of all its processes together, where this process has to watch it. @default not watched */
  memoryBytes?: number;
  signal?: AbortSignal;
}): Promise<ContainedResult> {
  const { signal } = options;
  if (signal?.aborted) throw commandAborted(signal);
  const [file] = options.arguments;
  const input = options.stdin === undefined ? 'ignore' : 'pipe';
  const captures = [captureOutput(options.keep), captureOutput(options.keep)] as const;
  const { child, outputs } = spawnLauncher({ ...options, input, take: [captures[0].push, captures[1].push] });
  let status = '';
  const inside = new Map<number, string>();
  const watch = (pid: number) => {
    const start = processStart(pid);
    if (start !== null && !inside.has(pid)) inside.set(pid, start);
  };
  (child.stdio[3] as Readable | null)?.on('data', (chunk: Buffer) => {
    status = (status + chunk.toString('latin1')).slice(0, 4096);
    const { firstProcess } = options.readStatus(status);
    if (firstProcess !== undefined) watch(firstProcess);
  });
  // A command that does not read its input closes it: EPIPE is no failure.
  child.stdin?.on('error', () => {});
  if (options.stdin !== undefined) child.stdin?.end(options.stdin);

  const ending = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new TadpoleError({ code: 'sandbox', message: `expected to start ${file}, got: ${cause.message}`, cause })),
    );
    child.once('exit', (code, endSignal) => resolve({ code, signal: endSignal }));
  });
  const closed = Promise.all(outputs.map((stream) => new Promise<void>((resolve) => stream.once('close', resolve))));

  let cause: 'timeout' | 'abort' | 'memory' | undefined;
  let retry: NodeJS.Timeout | undefined;
  // The first process of a pid namespace takes all others with it; its parent then ends by itself. The parent is not killed
  // while it may be about to start that process, which nobody would end then.
  const endLauncher = (pid: number, latestMs: number) => {
    for (const first of childProcesses(pid)) watch(first);
    for (const [first, start] of inside) if (processStart(first) === start) killProcess(first);
    if (performance.now() > latestMs) killProcess(pid);
    retry = setTimeout(() => endLauncher(pid, latestMs), 2);
  };
  const stop = (why: 'timeout' | 'abort' | 'memory') => {
    if (cause !== undefined || child.pid === undefined) return;
    cause = why;
    endLauncher(child.pid, performance.now() + launchDeadlineMs);
  };
  const timer = setTimeout(() => stop('timeout'), options.timeoutMs);
  const { memoryBytes } = options;
  const endWatch =
    memoryBytes === undefined || child.pid === undefined
      ? () => {}
      : watchMemory({ pid: child.pid, limitBytes: memoryBytes, onExceed: () => stop('memory') });
  const onAbort = () => stop('abort');
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const end = await ending;
    await verifyEnd(inside);
    // Every holder of the pipes is gone; what is left in them is read in a moment.
    await Promise.race([closed, sleep(1000, undefined, { ref: false })]);
    const [stdout, stderr] = [captures[0].end(), captures[1].end()];
    if (cause === 'abort') throw commandAborted(signal);
    if (cause === 'memory') return { exitCode: 137, timedOut: false, stdout, stderr };
    if (cause === 'timeout') return { exitCode: null, timedOut: true, stdout, stderr };
    const { started, firstProcess } = options.readStatus(status);
    // A memory or process limit may take the launcher down with what it launched.
    if (!started && !(end.signal !== null && firstProcess !== undefined)) {
      const said = Buffer.concat([stderr.head, stderr.tail]).toString('utf8').trim().slice(0, 1000);
      throw new TadpoleError({
        code: 'sandbox',
        message: `expected the sandbox to start its command, got exit ${end.code ?? end.signal}: ${said}`,
      });
    }
    return { exitCode: end.code ?? 137, timedOut: false, stdout, stderr };
  } finally {
    clearTimeout(timer);
    clearTimeout(retry);
    endWatch();
    signal?.removeEventListener('abort', onAbort);
    for (const stream of outputs) stream.destroy();
    (child.stdio[3] as Readable | null)?.destroy();
    child.stdin?.destroy();
  }
}

/** Starts a launcher with an empty environment, its status on file descriptor 3. */
export function spawnLauncher(options: {
  arguments: readonly string[];
  inputFile?: string;
  input: 'ignore' | 'pipe';
  /** Takes what comes on standard output and standard error, and must copy what it keeps. @default the child's streams stay as they are */
  take?: readonly [stdout: (chunk: Buffer) => void, stderr: (chunk: Buffer) => void];
  /** FIFOs for what is taken. @default sockets of Node.js */
  pipes?: PipePaths;
}): { child: ChildProcess; outputs: readonly Readable[] } {
  const { take } = options;
  const [file = '', ...words] = options.arguments;
  const opened: { reader?: Readable; descriptor: number }[] = [];
  try {
    const inputFile = options.inputFile === undefined ? undefined : openSync(options.inputFile, 'r');
    if (inputFile !== undefined) opened.push({ descriptor: inputFile });
    const pipes = take && options.pipes?.map((path, index) => openPipe({ path, take: take[index as 0 | 1] }));
    for (const { reader, writer } of pipes ?? []) opened.push({ reader, descriptor: writer });
    const [stdout, stderr] = pipes?.map(({ writer }) => writer) ?? (['pipe', 'pipe'] as const);
    const stdio: StdioOptions = [options.input, stdout, stderr, 'pipe', ...(inputFile === undefined ? [] : [inputFile])];
    const child = spawn(file, words, { cwd: '/', env: {}, stdio });
    if (pipes !== undefined) return { child, outputs: pipes.map(({ reader }) => reader) };
    const outputs = [child.stdout, child.stderr] as Readable[];
    if (take !== undefined) for (const [index, stream] of outputs.entries()) stream.on('data', take[index as 0 | 1]);
    return { child, outputs };
  } catch (cause) {
    for (const { reader } of opened) reader?.destroy();
    throw new TadpoleError({ code: 'sandbox', message: `expected to start ${file}, got: ${(cause as Error).message}`, cause });
  } finally {
    for (const { descriptor } of opened) closeSync(descriptor);
  }
}

/** Waits until the first process of the namespaces is gone, and with it all others. */
async function verifyEnd(inside: ReadonlyMap<number, string>): Promise<void> {
  const deadline = performance.now() + endDeadlineMs;
  for (;;) {
    const alive = [...inside].filter(([pid, start]) => processStart(pid) === start).map(([pid]) => pid);
    if (alive.length === 0) return;
    if (performance.now() > deadline) {
      const message = `expected every process of the sandbox to end, but ${alive.join(', ')} still run after ${endDeadlineMs} ms`;
      throw new TadpoleError({ code: 'sandbox', message });
    }
    for (const pid of alive) killProcess(pid);
    await sleep(1);
  }
}
