import { existsSync } from 'node:fs';
import type { Task } from '@tadpole/contracts';
import { canonicalHash } from '../canonical-hash.js';
import { hashTree } from '../hash-tree.js';
import { taskFolder } from './task-folder.js';

/**
 * Hash of everything that changes a grading's meaning: environment, limits, verifier, workspace, and the hidden files,
 * which for a `script` verifier are all of `tests/`.
 */
export async function taskHash(task: Task): Promise<string> {
  const { environment, limits, verifier } = task.data;
  const folder = taskFolder(task.directory);
  const hidden = verifier.kind === 'script' ? folder.tests : folder.hidden;
  return canonicalHash([environment, limits, verifier, await hashTree(folder.workspace), existsSync(hidden) ? await hashTree(hidden) : '']);
}
