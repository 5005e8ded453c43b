import { posix } from 'node:path';
import { type Sandbox, TadpoleError } from '@tadpole/contracts';
import { globAlternatives } from '../sandbox/glob-pattern.js';
import { largestPayloadBytes, type RunnerConnection } from './open-runner-connection.js';

const globBytes = 4_194_304;
const pathBytes = 4096;

/** File access through a runner inside the sandbox, so that a symbolic link leads no further than the sandbox's own mounts. */
export function runnerFiles(options: {
  connection: RunnerConnection;
  /** Where the workspace is for the runner. */
  workspacePath: string;
  /** Bytes of one file that is read or written; at most 256 MiB. */
  fileBytes: number;
}): Pick<Sandbox, 'readFile' | 'writeFile' | 'glob'> {
  const { connection, workspacePath } = options;
  const fileBytes = Math.min(options.fileBytes, largestPayloadBytes);
  return {
    async readFile(path, { signal } = {}) {
      const header = { operation: 'read', path: absolute(path), maximumBytes: fileBytes } as const;
      const { reply, payload } = await connection.request({ header, replyBytes: fileBytes, signal });
      if (reply.status === 'absent') return null;
      if (reply.status === 'ok') return new Uint8Array(payload);
      throw failed(reply, `expected a readable regular file at ${path}`);
    },
    async writeFile(path, content, { signal } = {}) {
      const payload = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
      if (payload.length > fileBytes) throw refused(`expected at most ${fileBytes} bytes for ${path}, got ${payload.length}`);
      const header = { operation: 'write', path: absolute(path) } as const;
      const { reply } = await connection.request({ header, payload, replyBytes: 0, signal });
      if (reply.status !== 'ok') throw failed(reply, `expected to write a regular file at ${path}`);
    },
    async glob(pattern, { path = '.', signal } = {}) {
      const folder = absolute(path);
      const header = { operation: 'glob', folder, patterns: globAlternatives(pattern) } as const;
      const { reply, payload } = await connection.request({ header, replyBytes: globBytes, signal });
      if (reply.status === 'absent') return [];
      if (reply.status !== 'ok') throw failed(reply, `expected a pattern with fewer matches than ${pattern}`);
      const found = payload.toString('utf8').split('\0').filter(Boolean);
      const isForeign = (file: string) =>
        file.startsWith('/') || file.length > pathBytes || (file.split('/').includes('..') && !pattern.includes('..'));
      if (found.some(isForeign)) {
        connection.close();
        throw new TadpoleError({ code: 'sandbox', message: `expected paths below ${folder} from the runner, got others` });
      }
      const relative = found.map((file) => posix.relative(workspacePath, posix.join(folder, file)));
      return [...new Set(relative)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    },
  };

  function absolute(path: string): string {
    if (path === '' || path.includes('\0')) throw refused(`expected a path, got ${JSON.stringify(path)}`);
    return posix.isAbsolute(path) ? path : `${workspacePath}/${path}`;
  }
}

function failed(reply: { status: string; reason?: string }, expected: string): TadpoleError {
  const message = `${expected}, ${reply.reason ?? 'got another answer'}`;
  return reply.status === 'failed' ? new TadpoleError({ code: 'sandbox', message }) : refused(message);
}

function refused(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
