import { type Candidate, isTadpoleError, relativePathSchema, type Snapshot } from '@tadpole/contracts';
import { readTrees, type TreeFile } from './candidate-trees.js';
import { Refusal } from './validation.js';

const gate = 'edits-fit';

/** The files of a candidate's trees, after a look at where its edits lie. Throws {@link Refusal} for edits that fit no snapshot. */
export async function readCandidate(options: { snapshot: Snapshot; candidate: Candidate }): Promise<TreeFile[]> {
  const { edits, solution = [], hiddenTests = [] } = options.candidate;
  const stray = [...edits, ...solution, ...hiddenTests].find(({ file }) => !isInside(file));
  if (stray !== undefined) throw malformed(`expected paths of files below the snapshot, got ${JSON.stringify(stray.file)}`);
  try {
    return await readTrees(options);
  } catch (error) {
    if (isTadpoleError(error) && (error.code === 'invalid-input' || isAbsent(error.cause))) throw malformed(error.message);
    throw error;
  }
}

function isInside(file: string): boolean {
  return relativePathSchema.safeParse(file).success && !file.split('/').includes('.git');
}

function isAbsent(cause: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'].includes(String((cause as NodeJS.ErrnoException | undefined)?.code));
}

function malformed(detail: string): Refusal {
  return new Refusal({ reason: 'malformed', detail, gate });
}
