import type { PatchFile, PatchHunk } from '../parse-patch.js';

/** A line of a patch with its place in the text of its side; `end` is before its line break. */
export interface PlacedLine {
  readonly line: PatchHunk['lines'][number];
  readonly start: number;
  readonly end: number;
}

/** A file after its part of a patch. */
export interface PatchedText {
  readonly text: string;
  /** Added lines by their place in `text`. */
  readonly added: readonly PlacedLine[];
  /** Removed lines by their place in the text before. */
  readonly removed: readonly PlacedLine[];
}

/** The text on one side, line by line. */
interface Side {
  readonly lines: string[];
  length: number;
}

/**
 * Applies one file's hunks to its text, by the hunks' own line numbers. `undefined` when context or removed lines are not what
 * stands there: a patch for another base. The text gets a final line break, which a patch need not leave.
 */
export function applyFilePatch(options: { before: string; file: PatchFile }): PatchedText | undefined {
  const { before, file } = options;
  const old = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  const read: Side = { lines: [], length: 0 };
  const made: Side = { lines: [], length: 0 };
  const added: PlacedLine[] = [];
  const removed: PlacedLine[] = [];
  const copyUntil = (index: number) => {
    while (read.lines.length < index) push(made, push(read, old[read.lines.length] ?? ''));
  };
  for (const { oldStart, oldCount, lines } of file.hunks) {
    const from = oldCount === 0 ? oldStart : oldStart - 1;
    if (from < read.lines.length || from > old.length) return undefined;
    copyUntil(from);
    for (const line of lines) {
      if (line.sign === '+') added.push(place(made, line));
      else if (old[read.lines.length] !== line.text) return undefined;
      else if (line.sign === '-') removed.push(place(read, line));
      else push(made, push(read, line.text));
    }
  }
  copyUntil(old.length);
  return { text: made.lines.length === 0 ? '' : `${made.lines.join('\n')}\n`, added, removed };
}

function push(side: Side, text: string): string {
  side.lines.push(text);
  side.length += text.length + 1;
  return text;
}

function place(side: Side, line: PlacedLine['line']): PlacedLine {
  const start = side.length;
  push(side, line.text);
  return { line, start, end: start + line.text.length };
}
