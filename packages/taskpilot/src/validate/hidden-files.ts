import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';

/** Every file that only the grader sees, and one hash over their paths and bytes. */
export interface HiddenFiles {
  /** Relative, forward slashes, sorted. */
  readonly files: readonly string[];
  /** sha256, hex. */
  readonly hash: string;
}

/** True when `file` is one of the hidden paths or lies below one. */
export function isHidden(options: { file: string; hiddenPaths: readonly string[] }): boolean {
  return options.hiddenPaths.some(
    (path) => options.file === path.replace(/\/$/, '') || options.file.startsWith(`${path.replace(/\/$/, '')}/`),
  );
}

/** Lists and hashes the hidden files of a snapshot. @throws TadpoleError `storage` when one cannot be read. */
export async function hashHiddenFiles(options: {
  directory: string;
  hiddenPaths: readonly string[];
  /** Files that are hidden beside the folder's, or in the place of one. @default none */
  added?: readonly { readonly file: string; readonly content: string }[];
}): Promise<HiddenFiles> {
  const { directory, hiddenPaths, added = [] } = options;
  const contents = new Map(added.map(({ file, content }) => [file, content]));
  try {
    const listed = await Promise.all(
      hiddenPaths.filter((path) => !contents.has(path)).map((path) => listFiles(directory, path.replace(/\/$/, ''))),
    );
    const files = [...new Set([...listed.flat(), ...contents.keys()])].sort();
    const hash = createHash('sha256');
    for (const file of files) {
      const content = createHash('sha256')
        .update(contents.get(file) ?? (await readFile(join(directory, file))))
        .digest('hex');
      hash.update(`${JSON.stringify(file)} ${content}\n`);
    }
    return { files, hash: hash.digest('hex') };
  } catch (cause) {
    throw new TadpoleError({
      code: 'storage',
      message: `Cannot read the hidden paths ${hiddenPaths.join(', ')} of ${directory}; every one must exist in the snapshot.`,
      cause,
    });
  }
}

async function listFiles(directory: string, path: string): Promise<string[]> {
  if ((await stat(join(directory, path))).isFile()) return [path];
  const entries: Dirent[] = await readdir(join(directory, path), { withFileTypes: true });
  const nested = entries.map((entry) => (entry.isFile() || entry.isDirectory() ? listFiles(directory, `${path}/${entry.name}`) : []));
  return (await Promise.all(nested)).flat();
}
