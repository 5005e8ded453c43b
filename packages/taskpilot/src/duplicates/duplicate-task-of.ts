import type { TaskDraft } from '../validate/task-draft.js';
import type { DuplicateTask } from './duplicate-filter.js';

/** A validated draft as the duplicate filter sees it. */
export function duplicateTaskOf(options: {
  draft: Pick<TaskDraft, 'data' | 'goldPatch'>;
  /** The function around the bug, or `null` at module level or where it is not known. */
  enclosingFunction: string | null;
}): DuplicateTask {
  const { draft, enclosingFunction } = options;
  const { id, instruction, verifier, lineage } = draft.data;
  return {
    id,
    repository: lineage.source,
    goldPatch: draft.goldPatch,
    failToPass: verifier.failToPass,
    file: lineage.file,
    enclosingFunction,
    operator: lineage.operator,
    statement: instruction,
  };
}
