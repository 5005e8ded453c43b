import { existsSync } from 'node:fs';
import type { Task } from '@tadpole/contracts';
import { canonicalHash } from '../canonical-hash.js';
import { hashTree } from '../hash-tree.js';
import { taskFolder } from './task-folder.js';

/**
 * Identity of all that a task says and holds, its reference solution and certificate aside; sha256 in hex. What `rollOut`
 * calls `hashTask`. Reads the task's workspace and tests.
 * @throws TadpoleError `invalid-input` when the folder has no workspace.
 */
export async function taskHash(task: Task): Promise<string> {
  return canonicalHash([task.data, await gradingHash(task)]);
}

/**
 * Hash of everything that changes a grading's meaning: environment, limits, verifier, workspace, and the hidden files,
 * which for a `script` verifier are all of `tests/`.
 */
export async function gradingHash(task: Task): Promise<string> {
  const { environment, limits, verifier } = task.data;
  const folder = taskFolder(task.directory);
  const hidden = verifier.kind === 'script' ? folder.tests : folder.hidden;
  return canonicalHash([environment, limits, verifier, await hashTree(folder.workspace), existsSync(hidden) ? await hashTree(hidden) : '']);
}
