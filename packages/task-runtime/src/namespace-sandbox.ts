import { type OwnedSandbox, type RunOptions, type RunResult, type SandboxLimits, TadpoleError } from '@tadpole/contracts';
import { outputText } from './captured-output.js';
import { capturePatchScript, patchAttributes } from './capture-patch.js';
import { type ContainedResult, runContained } from './contained-process.js';
import type { PreparedLauncher } from './launcher.js';
import { sandboxFiles } from './sandbox-files.js';

/** Largest patch that `diff` returns. */
const patchBytes = 67_108_864;
/** The kernel's limit of one argument. */
const commandBytes = 131_071;

/** Where the runtime's files of a sandbox are mounted inside. */
export interface SandboxPaths {
  readonly workspace: string;
  /** The pristine repository and the list of its files. */
  readonly repository: string;
  readonly trackedList: string;
}

/**
 * A sandbox over a prepared launcher: every call is a process of its own in fresh namespaces over the same workspace,
 * so nothing but files outlives a call.
 */
export function namespaceSandbox(options: {
  id: string;
  launcher: PreparedLauncher;
  /** Arguments that join the control group and drop privileges before the launcher runs. */
  wrapper: readonly string[];
  limits: SandboxLimits;
  /** True where no control group bounds the memory of all processes together. */
  limitProcessMemory: boolean;
  paths: SandboxPaths;
  env: Readonly<Record<string, string>>;
  now: () => number;
  release: () => Promise<void>;
}): OwnedSandbox {
  const { limits, paths } = options;
  const ended = new AbortController();
  const running = new Set<Promise<unknown>>();
  let disposal: Promise<void> | undefined;
  const prefix = limitScript(limits, options.limitProcessMemory);

  async function launch(request: {
    command: readonly string[];
    env?: Readonly<Record<string, string>>;
    stdin?: string | Uint8Array;
    timeoutMs: number;
    keep: { headBytes: number; tailBytes: number };
    signal?: AbortSignal;
  }): Promise<ContainedResult> {
    if (disposal !== undefined) throw new TadpoleError({ code: 'sandbox', message: `expected an open sandbox, but ${options.id} was disposed` });
    const signal = request.signal === undefined ? ended.signal : AbortSignal.any([ended.signal, request.signal]);
    const words = options.launcher.arguments({ command: request.command, env: { ...options.env, ...request.env } });
    const run = runContained({
      arguments: [...options.wrapper, ...words],
      ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
      timeoutMs: request.timeoutMs,
      keep: request.keep,
      readStatus: options.launcher.status,
      signal,
    });
    running.add(run);
    try {
      return await run;
    } finally {
      running.delete(run);
    }
  }

  async function runScript(request: {
    shell: 'sh' | 'bash';
    script: string;
    arguments: readonly string[];
    stdin?: Uint8Array;
    headBytes: number;
    signal?: AbortSignal;
  }) {
    const { shell, script, stdin, signal } = request;
    const result = await launch({
      command: [`/bin/${shell}`, '-c', `${prefix}\ncd /\n${script}`, shell, ...request.arguments],
      ...(stdin === undefined ? {} : { stdin }),
      timeoutMs: limits.timeoutMs,
      keep: { headBytes: request.headBytes, tailBytes: 1024 },
      ...(signal === undefined ? {} : { signal }),
    });
    const truncated = result.stdout.droppedBytes > 0 || result.stdout.tail.length > 0;
    const stderr = result.timedOut ? `no end within ${limits.timeoutMs} ms` : outputText(result.stderr);
    return { exitCode: result.exitCode ?? 124, stdout: result.stdout.head, truncated, stderr };
  }

  async function capture(form: keyof typeof patchAttributes, signal: AbortSignal | undefined): Promise<Buffer> {
    const words = [paths.workspace, paths.repository, paths.trackedList, patchAttributes[form]];
    const result = await runScript({ shell: 'sh', script: capturePatchScript, arguments: words, headBytes: patchBytes, ...(signal === undefined ? {} : { signal }) });
    if (result.exitCode === 0 && !result.truncated) return result.stdout;
    const why = result.truncated ? `more than ${patchBytes} bytes` : `exit ${result.exitCode}: ${result.stderr.trim()}`;
    throw new TadpoleError({ code: 'invalid-input', message: `expected a change that fits into a patch, got ${why}` });
  }

  return {
    id: options.id,
    ...sandboxFiles({ runScript, workspacePath: paths.workspace, fileBytes: limits.fileBytes }),
    async run(request: RunOptions): Promise<RunResult> {
      const started = options.now();
      const unfit = unfitCommand(request.command);
      if (unfit !== undefined) return { exitCode: 126, timedOut: false, stdout: '', stderr: unfit, droppedBytes: 0, durationMs: 0 };
      assertEnvironment(request.env ?? {});
      const folder = request.cwd === undefined ? paths.workspace : request.cwd.startsWith('/') ? request.cwd : `${paths.workspace}/${request.cwd}`;
      const half = Math.max(1, Math.floor(limits.outputBytes / 2));
      const result = await launch({
        command: ['/bin/sh', '-c', `${prefix}\ncd -- "$1" || exit 126\nshift\nexec bash -c "$1"`, 'sh', folder, request.command],
        ...(request.env === undefined ? {} : { env: request.env }),
        ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
        timeoutMs: request.timeoutMs ?? limits.timeoutMs,
        keep: { headBytes: half, tailBytes: half },
        ...(request.signal === undefined ? {} : { signal: request.signal }),
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
    async diff({ signal } = {}) {
      const patch = await capture('text', signal);
      const text = patch.toString('utf8');
      if (Buffer.from(text, 'utf8').equals(patch)) return text;
      // Text in another encoding would not survive the conversion to a string.
      return (await capture('binary', signal)).toString('utf8');
    },
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

/** Resource limits of every process inside, set by the first shell before anything else runs. */
function limitScript(limits: SandboxLimits, memory: boolean): string {
  return [
    'umask 022',
    'ulimit -c 0',
    `ulimit -f ${Math.ceil(limits.fileBytes / 512)}`,
    'ulimit -n 1024',
    `ulimit -t ${limits.cpuSeconds}`,
    ...(memory ? [`ulimit -d ${Math.ceil(limits.memoryBytes / 1024)}`] : []),
    // dash calls it p, bash u.
    `ulimit -u ${limits.processes} 2>/dev/null || ulimit -p ${limits.processes}`,
  ]
    .map((line) => `${line} || exit 125`)
    .join('\n');
}

function unfitCommand(command: string): string | undefined {
  if (command.includes('\0')) return 'bash: the command holds a NUL character\n';
  return Buffer.byteLength(command) > commandBytes ? `bash: the command is longer than ${commandBytes} bytes; write it to a file first\n` : undefined;
}

/** @throws TadpoleError `invalid-input` for a name or value that cannot stand in an environment. */
export function assertEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0')) {
      throw new TadpoleError({ code: 'invalid-input', message: `expected an environment variable without special characters, got ${JSON.stringify(name)}` });
    }
  }
}
