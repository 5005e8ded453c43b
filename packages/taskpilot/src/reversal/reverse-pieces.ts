import type { Candidate, TaskType, TreeEdit } from '@tadpole/contracts';
import { applyEdits } from '../edit/apply-edits.js';
import { createLineIndex } from '../generator/line-index.js';
import { countChangedLines, type Piece } from './change-pieces.js';
import type { createCodeReader } from './code-reader.js';
import { exportedNames } from './exported-names.js';
import { areSeparate, reversePiece } from './reverse-piece.js';

/** How large a change may be. */
export interface ChangeLimits {
  readonly maxFiles: number;
  /** Added and removed lines together. */
  readonly maxChangedLines: number;
}

/**
 * The candidate in which the pieces of a change are undone in the snapshot; `null` when one does not apply exactly, the change
 * is larger than `limits`, nothing but looks, comments or version numbers would change, or a file would no longer parse.
 */
export async function reversePieces(options: {
  pieces: readonly Piece[];
  /** The snapshot's sources that may be changed, by path. */
  sources: ReadonlyMap<string, string>;
  limits: ChangeLimits;
  readCode: ReturnType<typeof createCodeReader>;
  lineage: { readonly generator: string; readonly operator: string };
}): Promise<Candidate | null> {
  const { pieces, sources, limits, readCode, lineage } = options;
  const files = [...new Set(pieces.map(({ file }) => file))].sort();
  const changedLines = pieces.reduce((sum, piece) => sum + countChangedLines(piece), 0);
  if (files.length === 0 || files.length > limits.maxFiles || changedLines > limits.maxChangedLines) return null;
  const undone = pieces.map((piece) => reversePiece({ piece, current: sources.get(piece.file) ?? null }));
  if (undone.includes(null)) return null;
  const edits = orderEdits(undone.flatMap((own) => own ?? []));
  if (!areSeparate(edits)) return null;

  const trees = files.map((file): ChangedFile => {
    const snapshot = sources.get(file) ?? null;
    const own = edits.filter((edit) => edit.file === file);
    return { file, snapshot, agent: applyEdits(snapshot, own) };
  });
  if (!(await changesMeaning({ trees, readCode }))) return null;
  return { edits, lineage: { ...lineage, ...placeOf({ edit: edits[0]!, trees }), taskType: taskTypeOf(trees) } };
}

interface ChangedFile {
  readonly file: string;
  readonly snapshot: string | null;
  readonly agent: string | null;
}

/** Edits of lines before files that come and go, since a statement can point at them; each in document order. */
function orderEdits(edits: readonly TreeEdit[]): TreeEdit[] {
  const rank = (edit: TreeEdit) => ('content' in edit ? 1 : 0);
  const start = (edit: TreeEdit) => ('content' in edit ? 0 : edit.start);
  return [...edits].sort(
    (left, right) => rank(left) - rank(right) || (left.file < right.file ? -1 : left.file > right.file ? 1 : start(left) - start(right)),
  );
}

async function changesMeaning(options: { trees: readonly ChangedFile[]; readCode: ReturnType<typeof createCodeReader> }): Promise<boolean> {
  let changes = false;
  for (const { file, snapshot, agent } of options.trees) {
    const [before, after] = await Promise.all([snapshot, agent].map((text) => options.readCode({ file, text: text ?? '' })));
    if (after!.syntaxErrors > before!.syntaxErrors) return false;
    changes ||= after!.meaning !== before!.meaning;
  }
  return changes;
}

/** The line is one that both trees have. */
function placeOf(options: { edit: TreeEdit; trees: readonly ChangedFile[] }): { file: string; line: number } {
  const { edit, trees } = options;
  const { snapshot, agent } = trees.find(({ file }) => file === edit.file)!;
  if ('content' in edit || snapshot === null) return { file: edit.file, line: 1 };
  return { file: edit.file, line: Math.min(createLineIndex(snapshot).lineAt(edit.start), createLineIndex(agent ?? '').lineCount) };
}

/** What undoing takes away is what the change brought. */
function taskTypeOf(trees: readonly ChangedFile[]): TaskType {
  const brings = trees.some(({ file, snapshot, agent }) => {
    if (snapshot === null || agent === null) return agent === null;
    const left = exportedNames({ file, text: agent });
    return [...exportedNames({ file, text: snapshot })].some((name) => !left.has(name));
  });
  return brings ? 'feature' : 'bug-fix';
}
