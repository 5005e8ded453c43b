import { type OwnedSandbox, type RunOptions, type RunResult, TadpoleError } from '@tadpole/contracts';
import { assertEnvironment } from './assert-environment.js';
import { capturePatch, type SandboxPaths } from './capture-patch.js';
import { outputText } from './captured-output.js';
import { namespaceCalls } from './namespace-calls.js';
import { keepRunner } from './runner/keep-runner.js';
import { startRunner } from './start-runner.js';

/** Longest wait of Node's timers. */
const longestTimerMs = 2_147_483_647;

/** The kernel's limit of one argument. */
const commandBytes = 131_071;

/**
 * A sandbox over a mount namespace that a holder keeps: every command is a process tree of its own in fresh namespaces
 * over the same files, so nothing but files outlives a call.
 */
export function namespaceSandbox(
  options: Parameters<typeof namespaceCalls>[0] & {
    paths: SandboxPaths;
    /** Command line of the process that serves files. */
    runnerCommand: readonly string[];
    now: () => number;
    release: () => Promise<void>;
  },
): OwnedSandbox {
  const { limits, paths } = options;
  const calls = namespaceCalls(options);
  let disposal: Promise<void> | undefined;
  const files = keepRunner(async () =>
    startRunner({
      ...{ launcher: options.launchers.command, enter: options.enter, command: options.runnerCommand, env: options.env },
      ...{ workspacePath: paths.workspace, fileBytes: limits.fileBytes, answerTimeoutMs: limits.timeoutMs },
    }),
  );

  async function whileOpen<Result>(use: () => Promise<Result>): Promise<Result> {
    calls.assertOpen();
    return use();
  }

  return {
    id: options.id,
    readFile: (path, request) => whileOpen(() => files.readFile(path, request)),
    writeFile: (path, content, request) => whileOpen(() => files.writeFile(path, content, request)),
    glob: (pattern, request) => whileOpen(() => files.glob(pattern, request)),
    async run(request: RunOptions): Promise<RunResult> {
      const started = options.now();
      const unfit = unfitCommand(request.command);
      if (unfit !== undefined) return { exitCode: 126, timedOut: false, stdout: '', stderr: unfit, droppedBytes: 0, durationMs: 0 };
      assertEnvironment(request.env ?? {});
      const timeoutMs = request.timeoutMs ?? limits.timeoutMs;
      if (!(timeoutMs > 0 && timeoutMs <= longestTimerMs)) {
        throw new TadpoleError({
          code: 'invalid-input',
          message: `expected a timeoutMs above 0 and up to ${longestTimerMs}, got ${timeoutMs}`,
        });
      }
      const folder =
        request.cwd === undefined ? paths.workspace : request.cwd.startsWith('/') ? request.cwd : `${paths.workspace}/${request.cwd}`;
      const half = Math.max(1, Math.floor(limits.outputBytes / 2));
      const result = await calls.command({
        command: ['/bin/sh', '-c', `${calls.limits}\ncd -- "$1" || exit 126\nshift\nexec bash -c "$1"`, 'sh', folder, request.command],
        env: request.env,
        stdin: request.stdin,
        timeoutMs,
        keep: { headBytes: half, tailBytes: half },
        signal: request.signal,
      });
      return {
        exitCode: result.exitCode,
        timedOut: result.timedOut,
        stdout: outputText(result.stdout),
        stderr: outputText(result.stderr),
        droppedBytes: result.stdout.droppedBytes + result.stderr.droppedBytes,
        durationMs: Math.max(0, options.now() - started),
      };
    },
    diff: ({ signal } = {}) => capturePatch({ runScript: calls.runScript, paths, signal }),
    dispose() {
      disposal ??= (async () => {
        await Promise.allSettled([calls.end(), files.close()]);
        await options.release();
      })();
      return disposal;
    },
  };
}

function unfitCommand(command: string): string | undefined {
  if (command.includes('\0')) return 'bash: the command holds a NUL character\n';
  return Buffer.byteLength(command) > commandBytes
    ? `bash: the command is longer than ${commandBytes} bytes; write it to a file first\n`
    : undefined;
}
