import { setMaxListeners } from 'node:events';
import { type SandboxLimits, TadpoleError } from '@tadpole/contracts';
import { outputText } from '../sandbox/captured-output.js';
import type { RunScript } from '../sandbox/run-script.js';
import { type ContainedResult, runContained } from './contained-process.js';
import type { PreparedLauncher } from './launcher.js';
import { limitScript } from './limit-script.js';
import type { PipePool } from './output-pipes.js';
import type { SandboxHolder } from './sandbox-holder.js';

const joinScript = 'while [ "$1" != -- ]; do echo $$ >"$1" || exit 125; shift; done; shift; exec "$@"';

/** A command of the agent, under the sandbox's limits. */
export interface CommandCall {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly timeoutMs: number;
  readonly keep: { readonly headBytes: number; readonly tailBytes: number };
  readonly signal?: AbortSignal;
}

/** Starts the processes of one sandbox, each call in fresh namespaces, and ends them. */
export interface NamespaceCalls {
  /** Shell commands that set the limits, for the start of a command. */
  readonly limits: string;
  command(call: CommandCall): Promise<ContainedResult>;
  readonly runScript: RunScript;
  /** @throws TadpoleError `sandbox` once {@link NamespaceCalls.end} was called or the holder is gone. */
  assertOpen(): void;
  /** Ends every call that is under way and lets no further one begin. */
  end(): Promise<void>;
}

/** See {@link NamespaceCalls}. */
export function namespaceCalls(options: {
  id: string;
  holder: SandboxHolder;
  launchers: { readonly command: PreparedLauncher; readonly script: PreparedLauncher };
  /** Words that join the holder's namespace and drop privileges before a launcher runs. */
  enter: readonly string[];
  /** A process joins the control group by writing its id into each; absent where there is none. */
  controlGroupFiles?: readonly string[];
  limits: SandboxLimits;
  pipes: PipePool;
  env: Readonly<Record<string, string>>;
}): NamespaceCalls {
  const { limits, controlGroupFiles } = options;
  const ended = new AbortController();
  // Every call under way listens to it.
  setMaxListeners(0, ended.signal);
  const running = new Set<Promise<unknown>>();
  const prefix = limitScript({ limits, limitProcessMemory: controlGroupFiles === undefined });
  const join = controlGroupFiles === undefined ? [] : ['/bin/sh', '-c', joinScript, 'sh', ...controlGroupFiles, '--'];

  function assertOpen(): void {
    const message = ended.signal.aborted
      ? `expected an open sandbox, but ${options.id} was disposed`
      : `expected the process that holds ${options.id} to live, but it was ended from outside`;
    if (ended.signal.aborted || !options.holder.isAlive()) throw new TadpoleError({ code: 'sandbox', message });
  }

  async function launch({ launcher, ...call }: CommandCall & { launcher: PreparedLauncher }): Promise<ContainedResult> {
    assertOpen();
    const words = launcher.arguments({ command: call.command, env: { ...options.env, ...call.env } });
    const pipes = options.pipes.take();
    const run = runContained({
      pipes,
      ...{ stdin: call.stdin, timeoutMs: call.timeoutMs, keep: call.keep },
      arguments: [...join, ...options.enter, ...words],
      readStatus: launcher.status,
      inputFile: launcher.inputFile,
      ...(controlGroupFiles === undefined ? { memoryBytes: limits.memoryBytes } : {}),
      signal: call.signal === undefined ? ended.signal : AbortSignal.any([ended.signal, call.signal]),
    });
    running.add(run);
    try {
      return await run;
    } finally {
      running.delete(run);
      if (pipes !== undefined) options.pipes.giveBack(pipes);
    }
  }

  return {
    limits: prefix,
    command: (call) => launch({ launcher: options.launchers.command, ...call }),
    async runScript({ shell, script, stdin, signal, headBytes, arguments: words }) {
      const result = await launch({
        launcher: options.launchers.script,
        command: [`/bin/${shell}`, '-c', `${prefix}\ncd /\n${script}`, shell, ...words],
        ...{ stdin, signal, timeoutMs: limits.timeoutMs, keep: { headBytes, tailBytes: 1024 } },
      });
      const truncated = result.stdout.droppedBytes > 0 || result.stdout.tail.length > 0;
      const stderr = result.timedOut ? `no end within ${limits.timeoutMs} ms` : outputText(result.stderr);
      return { exitCode: result.exitCode ?? 124, stdout: result.stdout.head, truncated, stderr };
    },
    assertOpen,
    async end() {
      ended.abort();
      await Promise.allSettled(running);
    },
  };
}
