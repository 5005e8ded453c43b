import { execFile } from 'node:child_process';
import { TadpoleError } from '@tadpole/contracts';

const environment = {
  PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
} as const;

/** Large blobs are streamed, not held, so that the bound on output ends them early. */
const settings = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.bigFileThreshold=1m', 'safe.directory=*'].flatMap((setting) => [
  '-c',
  setting,
]);

/** Where git looks, and how long it may. */
export interface GitPlace {
  /** A git folder of our own: the only one whose configuration is read. */
  readonly gitDirectory: string;
  readonly objectDirectory: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Runs one reading git command and returns its output, `null` when that is longer than `maxBytes`. No shell, no working tree,
 * and no configuration but {@link GitPlace}'s.
 *
 * @throws TadpoleError `missing-dependency` without git, `aborted` by the signal (git is killed), `invalid-input` when git
 *   fails or is killed after `timeoutMs`.
 */
export function runGit(options: GitPlace & { words: readonly string[]; maxBytes: number }): Promise<Buffer | null> {
  const { gitDirectory, objectDirectory, words, timeoutMs, maxBytes, signal } = options;
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      [...settings, ...words],
      {
        cwd: gitDirectory,
        env: { ...environment, GIT_DIR: gitDirectory, GIT_OBJECT_DIRECTORY: objectDirectory },
        encoding: 'buffer',
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: maxBytes,
        ...(signal === undefined ? {} : { signal }),
      },
      (error, output, complaint) => {
        if (error === null) resolve(output);
        else if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') resolve(null);
        else reject(toTadpoleError({ error, complaint, words, timeoutMs, signal }));
      },
    );
  });
}

function toTadpoleError(options: {
  error: Error & { code?: unknown; killed?: boolean };
  complaint: Buffer;
  words: readonly string[];
  timeoutMs: number;
  signal: AbortSignal | undefined;
}): TadpoleError {
  const { error: cause, complaint, words, timeoutMs, signal } = options;
  if (signal?.aborted === true)
    return new TadpoleError({ code: 'aborted', message: 'Reading a history was ended by its signal.', cause: signal.reason });
  if (cause.code === 'ENOENT')
    return new TadpoleError({ code: 'missing-dependency', message: 'expected the program git in /usr/bin or /bin; install git.', cause });
  const said = complaint.toString('utf8').trim().slice(0, 500);
  const got = cause.killed === true ? `no answer within ${timeoutMs} ms` : said || `exit ${String(cause.code)}`;
  return new TadpoleError({ code: 'invalid-input', message: `expected git ${words[0]} to succeed, got: ${got}`, cause });
}
