import { type LinePiece, lexLine } from './lex-line.js';
import { pickInteger } from './pick.js';

/** Fewest characters of an edit's old text: shorter ones seldom occur once in a file. */
const LEAST_CHARACTERS = 8;

/** Most pieces of context on each side, spaces not counted. */
const MOST_CONTEXT = 4;

/**
 * The part of a line that an edit replaces: what changes and a random few pieces around it, so that little has to be copied.
 * It grows until no other line of `lines` contains it.
 *
 * @param options.before - the line as it stands, trimmed.
 * @param options.after - the line as it shall be, trimmed; not equal to `before`.
 */
export function editSpan(options: { before: string; after: string; lines: readonly string[]; random: () => number }): { old: string; new: string } {
  const { before, after, lines, random } = options;
  const pieces = lexLine(before);
  const change = changedRange(before, after);
  const inside = pieces.flatMap((piece, index) => (piece.start + piece.text.length > change.start && piece.start < Math.max(change.end, change.start + 1) ? [index] : []));
  let first = inside[0] ?? pieces.length - 1;
  let last = inside.at(-1) ?? first;
  const context = () => pickInteger({ low: 1, high: MOST_CONTEXT, random });
  first = extend({ pieces, from: first, step: -1, count: context() });
  last = extend({ pieces, from: last, step: 1, count: context() });
  for (;;) {
    const start = pieces[first]?.start ?? 0;
    const end = endOf(pieces[last]) ?? before.length;
    const old = before.slice(start, end);
    const isWhole = start === 0 && end === before.length;
    if (isWhole || (old.length >= LEAST_CHARACTERS && occurrences(lines, old) === 1)) {
      return { old, new: after.slice(start, after.length - (before.length - end)) };
    }
    first = extend({ pieces, from: first, step: -1, count: 1 });
    last = extend({ pieces, from: last, step: 1, count: 1 });
  }
}

/** Characters [start, end) of `before` that `after` does not share as a prefix or a suffix. */
function changedRange(before: string, after: string): { start: number; end: number } {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { start, end: before.length - tail };
}

/** Index of the piece `count` pieces away, spaces passed over; the end of the line where there are fewer. */
function extend(options: { pieces: readonly LinePiece[]; from: number; step: 1 | -1; count: number }): number {
  const { pieces, from, step } = options;
  let { count } = options;
  let at = from;
  for (let next = from + step; count > 0 && pieces[next] !== undefined; next += step) {
    if (pieces[next]?.kind === 'space') continue;
    at = next;
    count -= 1;
  }
  return at;
}

function endOf(piece: LinePiece | undefined): number | undefined {
  return piece === undefined ? undefined : piece.start + piece.text.length;
}

function occurrences(lines: readonly string[], text: string): number {
  return lines.reduce((sum, line) => sum + line.split(text).length - 1, 0);
}
