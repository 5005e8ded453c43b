import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { writeWhole } from './write-whole.js';

/**
 * Makes this process the only one that writes to a folder, until the returned function is called. A lock whose process has ended
 * is taken over. @throws TadpoleError `storage` when another process has the folder or it cannot be written.
 */
export function takeLock(directory: string): () => void {
  const path = join(directory, 'lock');
  const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  if (owner > 0 && owner !== process.pid && isAlive(owner)) {
    throw new TadpoleError({
      code: 'storage',
      message: `${directory} is in use by process ${owner}. Wait for it, or stop it before resuming.`,
    });
  }
  writeWhole({ path, content: String(process.pid) });
  return () => rmSync(path, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
