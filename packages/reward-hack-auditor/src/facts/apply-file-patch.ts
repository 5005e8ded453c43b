import type { PatchFile, PatchLine } from '../parse-patch.js';

/** A line of a patch with its place in the text of its side; `end` is before its line break. */
export interface PlacedLine {
  readonly line: PatchLine;
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

/**
 * Applies one file's hunks to its text, by the hunks' own line numbers. `undefined` when context or removed lines are not what
 * stands there: a patch for another base.
 */
export function applyFilePatch(options: { before: string; patch: string; file: PatchFile }): PatchedText | undefined {
  const { before, patch, file } = options;
  const old = splitLines(before);
  const added: PlacedLine[] = [];
  const removed: PlacedLine[] = [];
  const lines: string[] = [];
  let at = 0;
  let length = 0;
  const push = (text: string) => {
    lines.push(text);
    length += text.length + 1;
  };
  const bySpan = new Map([...file.added, ...file.removed].map((line) => [line.start, line]));
  for (const hunk of hunksOf({ patch, file })) {
    const from = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (from < at || from > old.length) return undefined;
    while (at < from) push((old[at++] as { text: string }).text);
    for (const { sign, text, start } of hunk.lines) {
      if (sign === '\\') continue;
      const line = bySpan.get(start + 1);
      if (sign === '+') {
        if (line) added.push({ line, start: length, end: length + text.length });
        push(text);
        continue;
      }
      const here = old[at];
      if (here === undefined || here.text !== text) return undefined;
      at += 1;
      if (sign === '-' && line) removed.push({ line, start: here.start, end: here.start + text.length });
      if (sign !== '-') push(text);
    }
  }
  while (at < old.length) push((old[at++] as { text: string }).text);
  return { text: lines.length === 0 ? '' : `${lines.join('\n')}\n`, added, removed };
}

function splitLines(text: string): readonly { readonly text: string; readonly start: number }[] {
  if (text === '') return [];
  let start = 0;
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const placed = { text: line, start };
      start += line.length + 1;
      return placed;
    });
}

interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly lines: { readonly sign: string; readonly text: string; readonly start: number }[];
}

function hunksOf(options: { patch: string; file: PatchFile }): readonly Hunk[] {
  const { patch, file } = options;
  const hunks: Hunk[] = [];
  let start = file.header.start;
  let oldLeft = 0;
  let newLeft = 0;
  for (const line of patch.slice(start).split('\n')) {
    const hunk = hunks.at(-1);
    if (hunk !== undefined && (oldLeft > 0 || newLeft > 0 || line.startsWith('\\'))) {
      const sign = line[0] ?? ' ';
      hunk.lines.push({ sign, text: line.slice(1), start });
      if (sign !== '+' && sign !== '\\') oldLeft -= 1;
      if (sign !== '-' && sign !== '\\') newLeft -= 1;
    } else if (start > file.header.start && (line.startsWith('diff --git ') || (hunk !== undefined && line.startsWith('--- ')))) {
      break;
    } else {
      const counts = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (counts) {
        oldLeft = Number(counts[2] ?? 1);
        newLeft = Number(counts[3] ?? 1);
        hunks.push({ oldStart: Number(counts[1]), oldCount: oldLeft, lines: [] });
      }
    }
    start += line.length + 1;
  }
  return hunks;
}
