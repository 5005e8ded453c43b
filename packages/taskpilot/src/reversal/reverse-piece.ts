import type { SpanEdit, TreeEdit } from '@tadpole/contracts';
import { type Hunk, type Piece, splitLines } from './change-pieces.js';

/**
 * The edits of the snapshot's file that undo a piece; `null` when it does not apply exactly. A hunk applies where its lines,
 * context included, stand: at its own place in a file that has not changed since, else at the only place that has them. A file
 * comes back where there is none now, and goes where it is as the change left it. No fuzz, no merge.
 */
export function reversePiece(options: { piece: Piece; current: string | null }): readonly TreeEdit[] | null {
  const { piece, current } = options;
  if (piece.kind === 'file') return piece.after === current ? [{ file: piece.file, content: piece.before }] : null;
  if (current === null) return null;
  const lines = splitLines(current);
  const start = piece.text === current ? piece.start : onlyPlace({ hunk: piece, lines });
  if (start === null) return null;
  const offsets = lineOffsets(lines);
  return piece.blocks.map(({ offset, removed, added }): SpanEdit => {
    const [first, end] = [offsets[start + offset], offsets[start + offset + added.length]] as [number, number];
    return { file: piece.file, start: first, end, text: removed.join('') };
  });
}

/** True when no two edits of a file meet in a character, or both write it whole. */
export function areSeparate(edits: readonly TreeEdit[]): boolean {
  const ends = new Map<string, number>();
  for (const edit of [...edits].sort((left, right) => startOf(left) - startOf(right))) {
    const end = ends.get(edit.file);
    if (end !== undefined && ('content' in edit || edit.start <= end)) return false;
    ends.set(edit.file, 'content' in edit ? Number.POSITIVE_INFINITY : edit.end);
  }
  return true;
}

function startOf(edit: TreeEdit): number {
  return 'content' in edit ? 0 : edit.start;
}

function onlyPlace(options: { hunk: Hunk; lines: readonly string[] }): number | null {
  const { after } = options.hunk;
  if (after.every((line) => line.trim() === '')) return null;
  const places: number[] = [];
  for (let start = 0; start + after.length <= options.lines.length && places.length < 2; start++)
    if (after.every((line, index) => options.lines[start + index] === line)) places.push(start);
  return places.length === 1 ? places[0]! : null;
}

/** Offset at which each line starts, and that of the end. */
function lineOffsets(lines: readonly string[]): number[] {
  const offsets = [0];
  for (const line of lines) offsets.push(offsets.at(-1)! + line.length);
  return offsets;
}
