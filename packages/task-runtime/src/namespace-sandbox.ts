import { type OwnedSandbox, type RunOptions, type RunResult, type SandboxLimits, TadpoleError } from '@tadpole/contracts';
import { assertEnvironment } from './assert-environment.js';
import { capturePatch, type SandboxPaths } from './capture-patch.js';
import { outputText } from './captured-output.js';
import { type ContainedResult, runContained } from './contained-process.js';
import type { PreparedLauncher } from './launcher.js';
import { limitScript } from './limit-script.js';
import { type RunScript, sandboxFiles } from './sandbox-files.js';
import type { SandboxHolder } from './sandbox-holder.js';

/** Longest wait of Node's timers. */
const longestTimerMs = 2_147_483_647;

/** The kernel's limit of one argument. */
const commandBytes = 131_071;

const joinScript = 'while [ "$1" != -- ]; do echo $$ >"$1" || exit 125; shift; done; shift; exec "$@"';

/**
 * A sandbox over a mount namespace that a holder keeps: every command is a process tree of its own in fresh namespaces
 * over the same files, so nothing but files outlives a call.
 */
export function namespaceSandbox(options: {
  id: string;
  holder: SandboxHolder;
  launchers: { readonly command: PreparedLauncher; readonly script: PreparedLauncher };
  /** Words that join the holder's namespace and drop privileges before a launcher runs. */
  enter: readonly string[];
  /** A process joins the control group by writing its id into each; absent where there is none. */
  controlGroupFiles?: readonly string[];
  limits: SandboxLimits;
  paths: SandboxPaths;
  /** Node.js inside. */
  node: string;
  env: Readonly<Record<string, string>>;
  now: () => number;
  release: () => Promise<void>;
}): OwnedSandbox {
  const { limits, paths, controlGroupFiles } = options;
  const ended = new AbortController();
  const running = new Set<Promise<unknown>>();
  let disposal: Promise<void> | undefined;
  const prefix = limitScript({ limits, limitProcessMemory: controlGroupFiles === undefined });
  const join = controlGroupFiles === undefined ? [] : ['/bin/sh', '-c', joinScript, 'sh', ...controlGroupFiles, '--'];

  async function launch(request: {
    launcher: PreparedLauncher;
    command: readonly string[];
    env?: Readonly<Record<string, string>>;
    stdin?: string | Uint8Array;
    timeoutMs: number;
    keep: { headBytes: number; tailBytes: number };
    signal?: AbortSignal;
  }): Promise<ContainedResult> {
    const { launcher } = request;
    if (disposal !== undefined)
      throw new TadpoleError({ code: 'sandbox', message: `expected an open sandbox, but ${options.id} was disposed` });
    if (!options.holder.isAlive())
      throw new TadpoleError({
        code: 'sandbox',
        message: `expected the process that holds ${options.id} to live, but it was ended from outside`,
      });
    const signal = request.signal === undefined ? ended.signal : AbortSignal.any([ended.signal, request.signal]);
    const run = runContained({
      arguments: [...join, ...options.enter, ...launcher.arguments({ command: request.command, env: { ...options.env, ...request.env } })],
      stdin: request.stdin,
      timeoutMs: request.timeoutMs,
      keep: request.keep,
      readStatus: launcher.status,
      inputFile: launcher.inputFile,
      ...(controlGroupFiles === undefined ? { memoryBytes: limits.memoryBytes } : {}),
      signal,
    });
    running.add(run);
    try {
      return await run;
    } finally {
      running.delete(run);
    }
  }

  const runScript: RunScript = async (request) => {
    const { shell, script, stdin, signal } = request;
    const result = await launch({
      launcher: options.launchers.script,
      command: [`/bin/${shell}`, '-c', `${prefix}\ncd /\n${script}`, shell, ...request.arguments],
      stdin,
      timeoutMs: limits.timeoutMs,
      keep: { headBytes: request.headBytes, tailBytes: 1024 },
      signal,
    });
    const truncated = result.stdout.droppedBytes > 0 || result.stdout.tail.length > 0;
    const stderr = result.timedOut ? `no end within ${limits.timeoutMs} ms` : outputText(result.stderr);
    return { exitCode: result.exitCode ?? 124, stdout: result.stdout.head, truncated, stderr };
  };

  return {
    id: options.id,
    ...sandboxFiles({ runScript, workspacePath: paths.workspace, fileBytes: limits.fileBytes }),
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
      const result = await launch({
        launcher: options.launchers.command,
        command: ['/bin/sh', '-c', `${prefix}\ncd -- "$1" || exit 126\nshift\nexec bash -c "$1"`, 'sh', folder, request.command],
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
    diff: ({ signal } = {}) => capturePatch({ runScript, paths, signal }),
    dispose() {
      disposal ??= (async () => {
        ended.abort();
        await Promise.allSettled(running);
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
