import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * The text of a regular file in a folder that hostile code could write: no link is followed, no FIFO waited for, nothing
 * over the bound is read.
 *
 * @returns `null` when there is nothing at that path, `undefined` when it is something else.
 */
export async function readBoundedFile(options: { path: string; bytes: number }): Promise<string | null | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(options.path, flags).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : undefined));
  if (file === null || file === undefined) return file;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= options.bytes ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}
