import type { Snapshot } from '@tadpole/contracts';
import { changedLines } from './changed-lines.js';

/**
 * Says which test files reach any of some lines of a source file of the snapshot, as an impact map does: `[]` when none does and
 * no test can see a change there, `undefined` when nothing is known. Lines are 1-based, both ends included.
 */
export type TestFilesFor = (change: {
  readonly snapshot: Pick<Snapshot, 'hash'>;
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
}) => readonly string[] | undefined;

/** A file of a tree that differs from the snapshot. */
interface ChangedFile {
  readonly path: string;
  /** Text in the snapshot and in the tree; `null` where it has no such file. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The test files that reach the lines in which a tree differs from the snapshot, in the suite's order; `undefined` when unknown. */
export function impactedTestFiles(options: {
  snapshot: Pick<Snapshot, 'hash' | 'testFiles'>;
  changes: readonly ChangedFile[];
  /** @default nothing is known */
  testFilesFor?: TestFilesFor | undefined;
}): readonly string[] | undefined {
  const { snapshot, changes, testFilesFor } = options;
  if (testFilesFor === undefined) return undefined;
  const found = new Set<string>();
  for (const { path: file, before, after } of changes) {
    if (before === after) continue;
    if (before === null || after === null) return undefined;
    const { start: startLine, end: endLine } = changedLines({ before: after, after: before });
    const reaching = testFilesFor({ snapshot, file, startLine, endLine });
    if (reaching === undefined) return undefined;
    for (const testFile of reaching) found.add(testFile);
  }
  return snapshot.testFiles.filter((testFile) => found.has(testFile));
}
