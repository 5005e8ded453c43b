import { lstat } from 'node:fs/promises';
import { TadpoleError, type Task } from '@tadpole/contracts';
import { canonicalHash } from '../canonical-hash.js';
import { hashTree, listTree } from '../hash-tree.js';
import { taskFolder } from './task-folder.js';

/**
 * Identity of all that a task says and holds, its reference solution and certificate aside; sha256 in hex. What `rollOut`
 * calls `hashTask`. Reads the task's workspace and tests.
 * @throws TadpoleError `invalid-input` when the folder has no workspace; `storage` when something of it cannot be read.
 */
export async function taskHash(task: Task): Promise<string> {
  return canonicalHash([task.data, await createGradingHasher()(task)]);
}

/**
 * Hashes everything that changes a grading's meaning: environment, limits, verifier, workspace, and the hidden files,
 * which for a `script` verifier are all of `tests/`. A folder's contents are read again only when a path, size, mode or time
 * of change in it is another one.
 */
export function createGradingHasher(): (task: Task) => Promise<string> {
  const hashes = new Map<string, Promise<string>>();
  return async (task) => {
    const { environment, limits, verifier } = task.data;
    const folder = taskFolder(task.directory);
    const hidden = verifier.kind === 'script' ? folder.tests : folder.hidden;
    return canonicalHash([
      environment,
      limits,
      verifier,
      await hashOf(folder.workspace),
      (await isThere(hidden)) ? await hashOf(hidden) : '',
    ]);
  };

  async function hashOf(directory: string): Promise<string> {
    const entries = await listTree(directory);
    const state = canonicalHash([directory, entries]);
    const hash = hashes.get(state) ?? hashTree(directory, entries);
    hashes.set(state, hash);
    hash.catch(() => hashes.delete(state));
    return hash;
  }
}

/** Absent is another task than unreadable. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return false;
      throw new TadpoleError({ code: 'storage', message: `expected to look at ${path}, got: ${cause.message}`, cause });
    },
  );
}
