import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';

/** One file or symbolic link of a tree. */
export interface TreeEntry {
  /** Relative, forward slashes. */
  readonly path: string;
  readonly kind: 'file' | 'link';
  readonly executable: boolean;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/**
 * Files and links below a folder in byte order of their paths, without anything named `.git`.
 * @throws TadpoleError `invalid-input` when there is no such folder or it holds a device, socket or FIFO.
 */
export async function listTree(directory: string): Promise<readonly TreeEntry[]> {
  const entries: TreeEntry[] = [];
  await visit('');
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));

  async function visit(folder: string): Promise<void> {
    for (const child of await children(join(directory, folder))) {
      if (child.name === '.git') continue;
      const path = folder === '' ? child.name : `${folder}/${child.name}`;
      if (child.isDirectory()) await visit(path);
      else entries.push(await entry(directory, path));
    }
  }
}

async function children(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    const message = `expected a readable folder at ${folder}, got: ${(cause as Error).message}`;
    throw new TadpoleError({ code: 'invalid-input', message, cause });
  }
}

async function entry(directory: string, path: string): Promise<TreeEntry> {
  const found = await lstat(join(directory, path));
  const { size: bytes, mtimeMs: modifiedMs } = found;
  if (found.isFile()) return { path, kind: 'file', executable: (found.mode & 0o100) !== 0, bytes, modifiedMs };
  if (found.isSymbolicLink()) return { path, kind: 'link', executable: false, bytes, modifiedMs };
  const message = `expected files, folders and links in ${directory}, got something else at ${path}`;
  throw new TadpoleError({ code: 'invalid-input', message });
}

/**
 * sha256 over the paths, kinds, executable bits and contents of a tree; times, owners and empty folders do not count.
 * @throws TadpoleError `storage` when something cannot be read.
 */
export async function hashTree(directory: string, entries?: readonly TreeEntry[]): Promise<string> {
  const hash = createHash('sha256');
  for (const entry of entries ?? (await listTree(directory))) {
    const file = join(directory, entry.path);
    try {
      const link = entry.kind === 'link' ? Buffer.from(await readlink(file)) : undefined;
      const length = link?.length ?? entry.bytes;
      hash.update(`${entry.kind}\0${entry.executable ? 'x' : '-'}\0${Buffer.byteLength(entry.path)}\0${entry.path}\0${length}\0`);
      if (link !== undefined) hash.update(link);
      else if (entry.bytes < LARGE_BYTES) hash.update(await readFile(file));
      else for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    } catch (cause) {
      throw new TadpoleError({ code: 'storage', message: `expected to read ${file}, got: ${(cause as Error).message}`, cause });
    }
  }
  return hash.digest('hex');
}

/** Larger files are read in parts. */
const LARGE_BYTES = 2 ** 24;
