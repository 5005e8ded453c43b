import type { Candidate, Snapshot } from '@tadpole/contracts';
import { TadpoleError } from '@tadpole/contracts';
import { contentHash } from '../content-hash.js';
import { applyEdits } from '../edit/apply-edits.js';
import type { FileChange } from '../edit/git-patch.js';
import { readSource } from '../read-source.js';

/** Content address of a candidate: the snapshot and what is changed in it. */
export function candidateIdOf(options: { snapshot: Pick<Snapshot, 'hash'>; candidate: Candidate }): string {
  const edits = options.candidate.edits.map(({ file, start, end, text }) => ({ file, start, end, text }));
  return contentHash({ snapshot: options.snapshot.hash, edits }).slice(0, 16);
}

/** Both versions of every file that a candidate edits, by path. @throws TadpoleError `invalid-input` or `storage`. */
export async function readTrees(options: { snapshot: Snapshot; candidate: Candidate }): Promise<FileChange[]> {
  const { snapshot, candidate } = options;
  const paths = [...new Set(candidate.edits.map((edit) => edit.file))].sort();
  return Promise.all(
    paths.map(async (path) => {
      const text = await readSource({ directory: snapshot.directory, file: path });
      if (text === null) {
        throw new TadpoleError({
          code: 'invalid-input',
          message: `Expected ${path} of ${snapshot.source} to be UTF-8; it cannot be edited byte exactly.`,
        });
      }
      const edits = candidate.edits.filter((edit) => edit.file === path);
      return { path, snapshot: text, buggy: applyEdits(text, edits) };
    }),
  );
}
