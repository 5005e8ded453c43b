import { applyPatch, parsePatch } from 'diff';
import type { FileChange } from './git-patch.js';

/** Applies the gold patch to the buggy files; `null` for a file that it does not restore to the snapshot's exact text. */
export function restoreSnapshot(options: { files: readonly FileChange[]; goldPatch: string }): { path: string; restored: string | null }[] {
  const patches = parsePatch(options.goldPatch);
  const ordered = [...options.files].sort((left, right) => (left.path < right.path ? -1 : 1));
  return ordered.map(({ path, snapshot, buggy }, index) => {
    const patch = patches[index];
    const restored = patch === undefined ? false : applyPatch(buggy, patch, { fuzzFactor: 0, autoConvertLineEndings: false });
    return { path, restored: restored === snapshot ? restored : null };
  });
}
