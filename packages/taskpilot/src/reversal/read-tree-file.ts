import { createHash } from 'node:crypto';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { exactText, largestSourceBytes } from './read-commits.js';

/** A file's text; `absent` where nothing has its name; `unusable` where no edit of it could be byte exact or safe. */
export type TreeFileText = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'absent' | 'unusable' };

/**
 * Reads a file below a folder. Unusable are a symlink or a path through one, a folder, pipe or device, binary content,
 * other text than UTF-8, and more than 1 MiB.
 */
export async function readTreeFile(options: { directory: string; file: string }): Promise<TreeFileText> {
  const path = join(options.directory, options.file);
  const found = await lstat(path).catch(() => null);
  if (found === null) return { kind: 'absent' };
  if (!found.isFile() || found.size > largestSourceBytes) return { kind: 'unusable' };
  if ((await realpath(path)) !== join(await realpath(options.directory), options.file)) return { kind: 'unusable' };
  const text = exactText(await readFile(path));
  return text === null ? { kind: 'unusable' } : { kind: 'text', text };
}

/** Name of a text in git's object store (SHA-1). */
export function blobName(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
