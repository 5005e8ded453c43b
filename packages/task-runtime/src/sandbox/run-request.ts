import { type RunOptions, type SandboxLimits, TadpoleError } from '@tadpole/contracts';
import { assertEnvironment } from './assert-environment.js';

/** Longest wait of Node's timers. */
const longestTimerMs = 2_147_483_647;

/** The kernel's limit of one argument. */
const commandBytes = 131_071;

/** Longest path of the kernel. */
const pathBytes = 4095;

/** A checked {@link RunOptions}. */
export interface RunRequest {
  /** Why no shell can be given this command; such a call ends with exit code 126. */
  readonly unfit?: string;
  /** The command in bash in its folder, under resource limits, for `exec`. */
  readonly arguments: readonly string[];
  readonly timeoutMs: number;
  readonly keep: { readonly headBytes: number; readonly tailBytes: number };
}

/**
 * Checks a call of `Sandbox.run` and makes its command line: a first shell sets limits and folder, then becomes bash.
 * @throws TadpoleError `invalid-input` for a time or variable that cannot be.
 */
export function readRunRequest(options: {
  request: RunOptions;
  workspacePath: string;
  limits: SandboxLimits;
  /** Lines of the first shell. */
  prefix: string;
}): RunRequest {
  const { request, workspacePath, limits } = options;
  assertEnvironment(request.env ?? {});
  const timeoutMs = request.timeoutMs ?? limits.timeoutMs;
  if (!(timeoutMs > 0 && timeoutMs <= longestTimerMs)) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `expected a timeoutMs above 0 and up to ${longestTimerMs}, got ${timeoutMs}`,
    });
  }
  const { cwd = '.', command } = request;
  if (cwd.includes('\0') || Buffer.byteLength(cwd) > pathBytes) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `expected a folder of at most ${pathBytes} bytes without NUL, got ${JSON.stringify(cwd.slice(0, 100))}`,
    });
  }
  const folder = cwd.startsWith('/') ? cwd : `${workspacePath}/${cwd}`;
  const script = `${options.prefix}\ncd -- "$1" || exit 126\nexec bash -c "$2"`;
  const half = Math.max(1, Math.floor(limits.outputBytes / 2));
  return {
    unfit: unfitCommand(command),
    arguments: ['/bin/sh', '-c', script, 'sh', folder, command],
    timeoutMs,
    keep: { headBytes: half, tailBytes: half },
  };
}

function unfitCommand(command: string): string | undefined {
  if (command.includes('\0')) return 'bash: the command holds a NUL character\n';
  return Buffer.byteLength(command) > commandBytes
    ? `bash: the command is longer than ${commandBytes} bytes; write it to a file first\n`
    : undefined;
}
