import { copyFile, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { runGit } from './run-git.js';

/** A repository's commits and files, for reading. */
export interface History {
  /** Output of a git command; `null` when it is longer than `maxBytes`. Throws as {@link runGit}. */
  git(words: readonly string[], options?: { maxBytes?: number }): Promise<Buffer | null>;
  /** Removes what opening made; the repository was never written. */
  close(): Promise<void>;
}

/**
 * Opens a checkout, a linked worktree or a bare repository through a git folder of our own that shares its objects and
 * references. Its configuration, attributes, hooks, replacements and grafts are thus never read, and nothing of it can run:
 * no alias, filter, textconv, fsmonitor, pager, external diff or promisor remote.
 *
 * Not covered: SHA-256 and reftable repositories (refused); objects crafted to exhaust git's memory.
 *
 * @throws TadpoleError `invalid-input` when there is no such repository, `unsupported` for SHA-256 objects.
 */
export async function openHistory(options: { repository: string; timeoutMs: number; signal?: AbortSignal }): Promise<History> {
  const { repository, ...bounds } = options;
  const { own, common } = await locate(resolve(repository));
  const head = await readHead({ repository, directory: own });
  const gitDirectory = await mkdtemp(join(tmpdir(), 'tadpole-history-'));
  const close = () => rm(gitDirectory, { recursive: true, force: true });
  try {
    await mkdir(join(gitDirectory, 'objects'));
    await writeFile(join(gitDirectory, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
    await writeFile(join(gitDirectory, 'HEAD'), head);
    await symlink(join(common, 'refs'), join(gitDirectory, 'refs'));
    if (await isFile(join(common, 'packed-refs'))) await symlink(join(common, 'packed-refs'), join(gitDirectory, 'packed-refs'));
    if (await isFile(join(common, 'shallow'))) await copyFile(join(common, 'shallow'), join(gitDirectory, 'shallow'));
  } catch (cause) {
    await close();
    throw new TadpoleError({ code: 'storage', message: `Cannot write the temporary folder ${gitDirectory}.`, cause });
  }
  const place = { gitDirectory, objectDirectory: join(common, 'objects'), ...bounds };
  return { git: (words, { maxBytes = 64 * 2 ** 20 } = {}) => runGit({ ...place, words, maxBytes }), close };
}

/** The repository's git folder, and the one that it shares with other worktrees; never one of a folder above. */
async function locate(repository: string): Promise<{ own: string; common: string }> {
  const inside = join(repository, '.git');
  const link = (await isFile(inside)) ? /^gitdir: (.+)$/m.exec(await readShort(inside))?.[1] : undefined;
  const own = link !== undefined ? resolve(repository, link) : (await isFolder(inside)) ? inside : repository;
  const shared = join(own, 'commondir');
  const common = (await isFile(shared)) ? resolve(own, (await readShort(shared)).trim()) : own;
  if ((await isFile(join(own, 'HEAD'))) && (await isFolder(join(common, 'objects'))) && (await isFolder(join(common, 'refs'))))
    return { own, common };
  throw invalid(`expected a git checkout or a bare repository at ${repository}, got a folder without HEAD, objects and refs`);
}

async function readHead(options: { repository: string; directory: string }): Promise<string> {
  const head = (await readShort(join(options.directory, 'HEAD'))).trim();
  if (/^[0-9a-f]{64}$/.test(head)) throw sha256(options.repository);
  if (/^ref: refs\/[^\s~^:?*[\\]+$/.test(head) || /^[0-9a-f]{40}$/.test(head)) return `${head}\n`;
  throw invalid(`expected HEAD of ${options.repository} to name a branch or a commit, got ${JSON.stringify(head.slice(0, 80))}`);
}

async function readShort(path: string): Promise<string> {
  if ((await lstat(path)).size > 4096) throw invalid(`expected at most 4096 bytes in ${path}; it is no file that git wrote`);
  return readFile(path, 'utf8');
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

function sha256(repository: string): TadpoleError {
  return new TadpoleError({ code: 'unsupported', message: `expected SHA-1 objects in ${repository}, got SHA-256; convert it first.` });
}

function invalid(problem: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `createCommitGenerator: ${problem}.` });
}
