import { type LinePiece, lexLine } from './lex-line.js';
import { pickInteger } from './pick.js';

/** Fewest characters of an edit's old text: shorter ones seldom occur once in a file. */
const LEAST_CHARACTERS = 8;

/** Most pieces of context behind the change, spaces not counted. */
const MOST_CONTEXT = 4;

/** Share of edits that replace the whole line, which is what a short one needs where a file repeats its beginnings. */
const WHOLE_LINES = 0.2;

/**
 * The part of a line that an edit replaces: from the line's first character, where its number points and where its tokens are
 * the same as in what Read shows, to a random few pieces behind the change. So a tail need not be copied. It grows until no
 * other line of `lines` contains it.
 *
 * @param options.before - the line as it stands, with its indent.
 * @param options.after - the line as it shall be; not equal to `before`.
 */
export function editSpan(options: { before: string; after: string; lines: readonly string[]; random: () => number }): {
  old: string;
  new: string;
} {
  const { before, after, lines, random } = options;
  const pieces = lexLine(before);
  const change = changedRange(before, after);
  const inside = pieces.findLastIndex((piece) => piece.start < Math.max(change.end, change.start + 1));
  const count = random() < WHOLE_LINES ? pieces.length : pickInteger({ low: 1, high: MOST_CONTEXT, random });
  let last = extend({ pieces, from: Math.max(0, inside), count });
  for (;;) {
    const end = endOf(pieces[last]) ?? before.length;
    const old = before.slice(0, end);
    if (end === before.length || (old.length >= LEAST_CHARACTERS && occurrences(lines, old) === 1)) {
      return { old, new: after.slice(0, after.length - (before.length - end)) };
    }
    last = extend({ pieces, from: last, count: 1 });
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

/** Index of the piece `count` pieces on, spaces passed over; the last one where there are fewer. */
function extend(options: { pieces: readonly LinePiece[]; from: number; count: number }): number {
  const { pieces, from } = options;
  let { count } = options;
  let at = from;
  for (let next = from + 1; count > 0 && pieces[next] !== undefined; next += 1) {
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
