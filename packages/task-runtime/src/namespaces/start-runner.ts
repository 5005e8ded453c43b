import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { TadpoleError } from '@tadpole/contracts';
import { connectRunner } from '../runner/connect-runner.js';
import type { RunnerProcess } from '../runner/keep-runner.js';
import { spawnLauncher } from './contained-process.js';
import type { PreparedLauncher } from './launcher.js';
import { childProcesses, killProcess, processStart } from './process-tree.js';

const endDeadlineMs = 10_000;

/** Starts the process that serves a sandbox's files, in namespaces of its own, and connects to it. */
export function startRunner(options: {
  launcher: PreparedLauncher;
  /** Words before the launcher's. */
  enter: readonly string[];
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  workspacePath: string;
  fileBytes: number;
  answerTimeoutMs: number;
}): RunnerProcess {
  const words = options.launcher.arguments({ command: options.command, env: options.env });
  const { child } = spawnLauncher({ arguments: [...options.enter, ...words], inputFile: options.launcher.inputFile, input: 'pipe' });
  child.stderr?.resume();
  let status = '';
  (child.stdio[3] as Readable | null)?.on('data', (chunk: Buffer) => {
    status = (status + chunk.toString('latin1')).slice(0, 4096);
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const { fileBytes, workspacePath, answerTimeoutMs } = options;
  const runner = connectRunner({
    input: child.stdin as Writable,
    output: child.stdout as Readable,
    workspacePath,
    fileBytes,
    answerTimeoutMs,
  });
  return {
    runner,
    async end() {
      const { pid } = child;
      if (pid === undefined) return;
      const inside = new Map<number, string>();
      for (const first of [...childProcesses(pid), options.launcher.status(status).firstProcess]) {
        const start = first === undefined ? null : processStart(first);
        if (first !== undefined && start !== null) inside.set(first, start);
      }
      for (const first of inside.keys()) killProcess(first);
      child.kill('SIGKILL');
      await exited;
      const deadline = performance.now() + endDeadlineMs;
      while ([...inside].some(([first, start]) => processStart(first) === start)) {
        if (performance.now() > deadline)
          throw new TadpoleError({
            code: 'sandbox',
            message: `expected the sandbox's runner to end, but it still lives after ${endDeadlineMs} ms`,
          });
        await sleep(1);
      }
      for (const stream of child.stdio) stream?.destroy();
    },
  };
}
