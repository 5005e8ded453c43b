import type { Candidate, Snapshot, TreeEdit } from '@tadpole/contracts';
import { TadpoleError } from '@tadpole/contracts';
import { contentHash } from '../content-hash.js';
import { applyEdits } from '../edit/apply-edits.js';
import { readSource } from '../read-source.js';

/** A file in the three trees of a candidate; `null` where a tree does not have it. */
export interface TreeFile {
  /** Relative, forward slashes. */
  readonly path: string;
  readonly snapshot: string | null;
  /** As the agent gets it. */
  readonly agent: string | null;
  /** As the gold patch leaves it. */
  readonly solved: string | null;
}

/** Content address of a candidate: the snapshot, what is changed in it, and what is asked and tested. */
export function candidateIdOf(options: { snapshot: Pick<Snapshot, 'hash'>; candidate: Candidate }): string {
  const { edits, solution, hiddenTests, statement } = options.candidate;
  const more = { ...(solution === undefined ? {} : { solution: solution.map(identity) }), hiddenTests, statement };
  return contentHash({ snapshot: options.snapshot.hash, edits: edits.map(identity), ...JSON.parse(JSON.stringify(more)) }).slice(0, 16);
}

function identity(edit: TreeEdit) {
  if ('content' in edit) return { file: edit.file, content: edit.content };
  const { file, start, end, text } = edit;
  return { file, start, end, text };
}

/** Every file that a candidate's trees change, by path. @throws TadpoleError `invalid-input` or `storage`. */
export async function readTrees(options: { snapshot: Snapshot; candidate: Candidate }): Promise<TreeFile[]> {
  const { snapshot, candidate } = options;
  const solution = candidate.solution ?? [];
  const paths = [...new Set([...candidate.edits, ...solution].map(({ file }) => file))].sort();
  return Promise.all(
    paths.map(async (path) => {
      const text = await textOf({ snapshot, path, edits: [...candidate.edits, ...solution] });
      const edited = (edits: readonly TreeEdit[]) =>
        applyEdits(
          text,
          edits.filter(({ file }) => file === path),
        );
      return { path, snapshot: text, agent: edited(candidate.edits), solved: edited(solution) };
    }),
  );
}

/** A file's text in the snapshot; `null` for one that the snapshot lacks, which can only be written whole. */
async function textOf(options: { snapshot: Snapshot; path: string; edits: readonly TreeEdit[] }): Promise<string | null> {
  const { snapshot, path, edits } = options;
  const text = await readSource({ directory: snapshot.directory, file: path }).catch((error: TadpoleError) => {
    const isNew = (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
    if (isNew && edits.every((edit) => edit.file !== path || 'content' in edit)) return undefined;
    throw error;
  });
  if (text !== null) return text ?? null;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected ${path} of ${snapshot.source} to be UTF-8; it cannot be edited byte exactly.`,
  });
}
