import { diffArrays } from 'diff';
import type { FileChange } from '../edit/git-patch.js';

/** Lines that a change took out and put in, one after the other's place. Lines keep their ends. */
export interface Block {
  /** Line in the piece's `after` at which `added` begins, 0-based. */
  readonly offset: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Lines of one file that a change rewrote, with unchanged lines around them. */
export interface Hunk {
  readonly kind: 'hunk';
  readonly file: string;
  /** The whole file as the change left it. */
  readonly text: string;
  /** Line of `text` at which the hunk begins, 0-based. */
  readonly start: number;
  /** The hunk's lines as the change left them. */
  readonly after: readonly string[];
  readonly blocks: readonly Block[];
}

/** A file that a change made (`before` is `null`) or removed (`after` is `null`). */
export interface WholeFile {
  readonly kind: 'file';
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The smallest part of a change that can be undone. */
export type Piece = Hunk | WholeFile;

/** Lines of a text with their ends. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Added and removed lines of a piece. */
export function changedTexts(piece: Piece): { readonly added: string; readonly removed: string } {
  if (piece.kind === 'file') return { added: piece.after ?? '', removed: piece.before ?? '' };
  const join = (side: 'added' | 'removed') => piece.blocks.flatMap((block) => block[side]).join('');
  return { added: join('added'), removed: join('removed') };
}

/** How many lines a piece adds and removes. */
export function countChangedLines(piece: Piece): number {
  const { added, removed } = changedTexts(piece);
  return splitLines(added).length + splitLines(removed).length;
}

/**
 * Splits a file's change into pieces in document order. Blocks with at most twice `context` unchanged lines between them are
 * one hunk.
 * @returns `null` when more than `maxChangedLines` lines differ.
 */
export function splitChange(options: { change: FileChange; context: number; maxChangedLines: number }): readonly Piece[] | null {
  const { change, context, maxChangedLines } = options;
  const { path: file, before, after } = change;
  if (before === after) return [];
  if (before === null || after === null) {
    const whole: WholeFile = { kind: 'file', file, before, after };
    return countChangedLines(whole) > maxChangedLines ? null : [whole];
  }
  const lines = splitLines(after);
  // The library says undefined past its bound, which its types leave out.
  const parts = diffArrays(splitLines(before), lines, { maxEditLength: maxChangedLines }) as
    | ReturnType<typeof diffArrays<string>>
    | undefined;
  if (parts === undefined) return null;
  return joinBlocks({ blocks: blocksOf(parts), context }).map((blocks): Hunk => {
    const last = blocks.at(-1)!;
    const start = Math.max(0, blocks[0]!.offset - context);
    const end = Math.min(lines.length, last.offset + last.added.length + context);
    const relative = blocks.map((block) => ({ ...block, offset: block.offset - start }));
    return { kind: 'hunk', file, text: after, start, after: lines.slice(start, end), blocks: relative };
  });
}

function blocksOf(parts: readonly { added: boolean; removed: boolean; value: string[] }[]): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  let open: { offset: number; removed: string[]; added: string[] } | null = null;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) open = null;
    else {
      if (open === null) {
        open = { offset: at, removed: [], added: [] };
        blocks.push(open);
      }
      open[added ? 'added' : 'removed'].push(...value);
    }
    if (!removed) at += value.length;
  }
  return blocks;
}

function joinBlocks(options: { blocks: readonly Block[]; context: number }): Block[][] {
  const joined: Block[][] = [];
  for (const block of options.blocks) {
    const previous = joined.at(-1)?.at(-1);
    if (previous !== undefined && block.offset - (previous.offset + previous.added.length) <= 2 * options.context)
      joined.at(-1)!.push(block);
    else joined.push([block]);
  }
  return joined;
}
