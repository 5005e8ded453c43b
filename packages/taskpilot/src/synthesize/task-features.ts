import type { Snapshot } from '@tadpole/contracts';
import { statementRungSchema } from '@tadpole/contracts';
import type { TaskFeatures } from '../calibrate/measurement.js';
import type { CandidateFacts } from '../generator/candidate-facts.js';
import { readSource } from '../read-source.js';
import type { TaskDraft } from '../validate/task-draft.js';

/** What the difficulty predictor is told of a draft; nothing of it depends on a rollout. */
export function taskFeatures(options: { draft: TaskDraft; facts: CandidateFacts; repositoryLines: number }): TaskFeatures {
  const { draft, facts, repositoryLines } = options;
  const { lineage, verifier, instruction } = draft.data;
  return {
    operator: lineage.operator,
    failureKind: failureKind(draft),
    edits: facts.edits,
    files: facts.files,
    changedLines: facts.changedLines,
    failToPass: verifier.failToPass.length,
    passToPass: verifier.passToPass.length,
    hintRung: Math.max(0, statementRungSchema.options.indexOf(lineage.statementRung)),
    statementCharacters: instruction.length,
    repositoryLines,
    functionLines: facts.functionLines ?? 0,
  };
}

/** `assertion` where a pair of values was printed, else the class of the error. */
function failureKind({ facts: { expected, observed, error = '' } }: TaskDraft): string {
  if (expected !== undefined && observed !== undefined) return 'assertion';
  return /^\s*([A-Za-z_][\w.]*(?:Error|Exception|Warning))\b/.exec(error)?.[1] ?? 'other';
}

/** Lines of all source files of a snapshot. @throws TadpoleError `storage` for one that cannot be read. */
export async function countSourceLines(snapshot: Pick<Snapshot, 'directory' | 'sourceFiles'>): Promise<number> {
  const texts = await Promise.all(snapshot.sourceFiles.map((file) => readSource({ directory: snapshot.directory, file })));
  return texts.reduce((sum, text) => sum + (text ?? '').split('\n').length, 0);
}
