import { createHash } from 'node:crypto';
import { squeeze } from '../squeeze.js';
import type { TaskDraft } from '../validate/task-draft.js';

/**
 * Equal for two tasks with the same fix in the same file: sha256 of the path and of the changed lines without
 * white space and line numbers (taskpilot.md section 6). Source and version are not in it, so a release that
 * kept the line gives the same key.
 */
export function duplicateKey(draft: Pick<TaskDraft, 'goldPatch'>): string {
  const telling = draft.goldPatch
    .split('\n')
    .filter((line) => /^(--- |[+-])/.test(line) && !line.startsWith('+++ '))
    .map(squeeze);
  return createHash('sha256').update(telling.join('\n')).digest('hex');
}
