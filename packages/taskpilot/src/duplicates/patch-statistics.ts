import { parsePatch } from './parse-patch.js';

/** Size of a patch by its changed lines: `none` 0, `tiny` 1-2, `small` 3-10, `medium` 11-50, `large` 51-200, `huge` above. */
export type PatchSizeBucket = 'none' | 'tiny' | 'small' | 'medium' | 'large' | 'huge';

/** Counts over a patch. */
export interface PatchStatistics {
  readonly files: number;
  /** Files among them that hold no text. */
  readonly binaryFiles: number;
  readonly hunks: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** By added and removed lines together, so one rewritten line counts two. */
  readonly sizeBucket: PatchSizeBucket;
}

/**
 * Counts files, hunks and lines of a git or unified diff, from the lines themselves and not from what headers claim.
 * @throws TadpoleError `invalid-input` when a patch that is not blank names no file.
 */
export function patchStatistics(patch: string): PatchStatistics {
  const files = parsePatch(patch);
  const hunks = files.flatMap((file) => file.hunks);
  const count = (kind: 'added' | 'removed') => hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  const [addedLines, removedLines] = [count('added'), count('removed')];
  return {
    files: files.length,
    binaryFiles: files.filter(({ binary }) => binary.length > 0).length,
    hunks: hunks.length,
    addedLines,
    removedLines,
    sizeBucket: patchSizeBucket(addedLines + removedLines),
  };
}

function patchSizeBucket(changedLines: number): PatchSizeBucket {
  if (changedLines === 0) return 'none';
  if (changedLines <= 2) return 'tiny';
  if (changedLines <= 10) return 'small';
  if (changedLines <= 50) return 'medium';
  return changedLines <= 200 ? 'large' : 'huge';
}
