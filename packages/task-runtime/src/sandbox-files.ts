import { posix } from 'node:path';
import { type Sandbox, TadpoleError } from '@tadpole/contracts';
import { bashPatterns } from './glob-pattern.js';

/** Runs a short shell script inside the sandbox; `headBytes` of its output are kept. */
export type RunScript = (options: {
  shell: 'sh' | 'bash';
  script: string;
  arguments: readonly string[];
  stdin?: Uint8Array;
  headBytes: number;
  signal?: AbortSignal;
}) => Promise<{ exitCode: number; stdout: Buffer; truncated: boolean; stderr: string }>;

const readScript = '[ -e "$1" ] || exit 20; [ -f "$1" ] || exit 21; [ -r "$1" ] || exit 22; exec head -c "$2" -- "$1"';
const writeScript = `[ -e "$1" ] && { [ -f "$1" ] || exit 21; }
[ -d "$2" ] || mkdir -p -- "$2" || exit 22
exec cat >"$1"`;
const globScript = `shopt -s globstar nullglob dotglob
IFS=
cd -- "$1" 2>/dev/null || exit 20
shift
for pattern in "$@"; do for file in $pattern; do
  case "/$file/" in */.git/*) continue;; esac
  [ -f "$file" ] && printf '%s\\0' "$file"
done; done
exit 0`;

const globBytes = 4_194_304;

/**
 * File access by processes inside the sandbox, so that a symbolic link leads no further than the sandbox's own mounts.
 * Only regular files are opened; a FIFO, device, folder or a file over the limit is refused before a byte is read.
 */
export function sandboxFiles(options: {
  runScript: RunScript;
  workspacePath: string;
  fileBytes: number;
}): Pick<Sandbox, 'readFile' | 'writeFile' | 'glob'> {
  const { runScript, workspacePath, fileBytes } = options;
  return {
    async readFile(path, { signal } = {}) {
      const file = absolute(path);
      const result = await runScript({
        shell: 'sh',
        script: readScript,
        arguments: [file, String(fileBytes + 1)],
        headBytes: fileBytes + 1,
        signal,
      });
      if (result.exitCode === 20) return null;
      if (result.exitCode !== 0) throw refused(`expected a readable regular file at ${path}, ${because(result)}`);
      if (result.stdout.length > fileBytes)
        throw refused(`expected at most ${fileBytes} bytes in ${path}; read a part of it with a command`);
      return new Uint8Array(result.stdout);
    },
    async writeFile(path, content, { signal } = {}) {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
      if (bytes.length > fileBytes) throw refused(`expected at most ${fileBytes} bytes for ${path}, got ${bytes.length}`);
      const file = absolute(path);
      const result = await runScript({
        shell: 'sh',
        script: writeScript,
        arguments: [file, posix.dirname(file)],
        stdin: bytes,
        headBytes: 0,
        signal,
      });
      if (result.exitCode !== 0) throw refused(`expected to write a regular file at ${path}, ${because(result)}`);
    },
    async glob(pattern, { path = '.', signal } = {}) {
      const folder = absolute(path);
      const result = await runScript({
        shell: 'bash',
        script: globScript,
        arguments: [folder, ...bashPatterns(pattern)],
        headBytes: globBytes,
        signal,
      });
      if (result.exitCode === 20) return [];
      if (result.exitCode !== 0 || result.truncated)
        throw refused(`expected a pattern with fewer matches than ${pattern}, ${because(result)}`);
      const found = result.stdout.toString('utf8').split('\0').filter(Boolean);
      const relative = found.map((file) => posix.relative(workspacePath, posix.join(folder, file)));
      return [...new Set(relative)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    },
  };

  function absolute(path: string): string {
    if (path === '' || path.includes('\0')) throw refused(`expected a path, got ${JSON.stringify(path)}`);
    return posix.isAbsolute(path) ? path : `${workspacePath}/${path}`;
  }
}

function because(result: { exitCode: number; stderr: string }): string {
  if (result.exitCode === 21) return 'got a folder, device, socket or FIFO';
  const said = result.stderr.trim().split('\n').pop() ?? '';
  return `got exit ${result.exitCode}${said === '' ? '' : `: ${said}`}`;
}

function refused(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
