import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What stands at a path below a folder, or undefined where nothing does. No link is followed: behind one nothing stands,
 * and one at the end is itself. Not covered: somebody who changes the folder meanwhile.
 */
export async function statInside(options: { directory: string; path: string }): Promise<Stats | undefined> {
  const names = options.path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) return undefined;
  for (let count = 0; count < names.length; count += 1) {
    const parent = await statOf(join(options.directory, ...names.slice(0, count)), count === 0);
    if (!parent?.isDirectory()) return undefined;
  }
  return statOf(join(options.directory, ...names), names.length === 0);
}

/** The folder itself may be reached by a link: whoever named it meant what it leads to. */
async function statOf(path: string, isRoot: boolean): Promise<Stats | undefined> {
  return lstat(isRoot ? join(path, '/') : path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}
