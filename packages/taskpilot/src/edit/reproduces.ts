import { applyPatch, parsePatch } from 'diff';
import type { FileChange } from './git-patch.js';

/** The first file that a patch of {@link gitPatch}, really applied, does not turn from before into after; `null` when there is none. */
export function notReproduced(options: { files: readonly FileChange[]; patch: string }): string | null {
  const patches = parsePatch(options.patch).filter(({ hunks }) => hunks.length > 0);
  const changed = [...options.files]
    .sort((left, right) => (left.path < right.path ? -1 : 1))
    .filter(({ before, after }) => (before ?? '') !== (after ?? ''));
  for (const [index, { path, before, after }] of changed.entries()) {
    const patch = patches[index];
    const result = patch === undefined ? false : applyPatch(before ?? '', patch, { fuzzFactor: 0, autoConvertLineEndings: false });
    if (result !== (after ?? '')) return path;
  }
  return null;
}
