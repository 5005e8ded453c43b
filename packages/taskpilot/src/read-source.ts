import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';

/**
 * Reads a file of a snapshot as text that encodes back to the very same bytes (byte order mark kept).
 * @returns `null` when it is not UTF-8, since no edit of it could be byte exact.
 * @throws TadpoleError `storage` when it cannot be read.
 */
export async function readSource(options: { directory: string; file: string }): Promise<string | null> {
  const path = join(options.directory, options.file);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw new TadpoleError({ code: 'storage', message: `Cannot read ${path}, which the snapshot lists.`, cause });
  }
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}
