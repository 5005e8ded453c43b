import type { Dirent } from 'node:fs';
import { cp, lstat, mkdir, readdir, readlink, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { isToolFolder } from './inspection/path-roles.js';

/** Of everything that is copied. */
const largestCopy = 536_870_912;

/**
 * Copies a folder that somebody else wrote: regular files, and links that stay inside it. Left out are the paths to drop,
 * version control, caches, installed packages, devices and names that are no UTF-8. The target is replaced at the end.
 *
 * @throws TadpoleError `invalid-input` when one folder holds the other, or what is to copy is over 512 MiB.
 */
export async function copyRepository(options: {
  from: string;
  to: string;
  /** Relative files and folders. */
  dropPaths: readonly string[];
  /** Files and folders to lay beside the copied ones, under their own names. */
  beside?: readonly string[];
}): Promise<void> {
  const [from, to] = [resolve(options.from), resolve(options.to)];
  if (from === to || from.startsWith(`${to}/`) || to.startsWith(`${from}/`)) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `expected a folder apart from the package to copy it into, got ${to} for ${from}`,
    });
  }
  const draft = `${to}.draft`;
  await rm(draft, { recursive: true, force: true });
  const drop = new Set(options.dropPaths.map((path) => path.replace(/\/+$/, '')));
  let bytes = 0;
  await visit('');
  for (const path of options.beside ?? []) {
    const filter = (source: string) => !['__pycache__', 'node_modules', '.git'].includes(basename(source));
    await cp(path, join(draft, basename(path)), { recursive: true, dereference: true, preserveTimestamps: true, filter });
  }
  await rm(to, { recursive: true, force: true });
  await rename(draft, to);

  async function visit(folder: string): Promise<void> {
    await mkdir(join(draft, folder), { recursive: true });
    const entries: Dirent<Buffer>[] = await readdir(join(from, folder), { withFileTypes: true, encoding: 'buffer' });
    for (const entry of entries) {
      const name = entry.name.toString('utf8');
      const path = join(folder, name);
      if (!Buffer.from(name).equals(entry.name) || drop.has(path) || isToolFolder(name)) continue;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile() || (entry.isSymbolicLink() && (await staysInside(path)))) await copy(path);
    }
  }

  async function copy(path: string): Promise<void> {
    bytes += (await lstat(join(from, path))).size;
    if (bytes > largestCopy) {
      await rm(draft, { recursive: true, force: true });
      const message = `expected a package of at most ${largestCopy} bytes at ${from}, got more with ${path}; drop what is no part of it`;
      throw new TadpoleError({ code: 'invalid-input', message });
    }
    await cp(join(from, path), join(draft, path), { preserveTimestamps: true, verbatimSymlinks: true });
  }

  async function staysInside(path: string): Promise<boolean> {
    const target = await readlink(join(from, path));
    return !target.startsWith(sep) && !relative(from, join(from, dirname(path), target)).startsWith('..');
  }
}
