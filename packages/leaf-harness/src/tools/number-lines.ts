import { countCharacters } from './count-characters.js';

/**
 * The lines of a text from `offset` on, `limit` of them, each as `N. text`. No more are made than an observation can
 * show: `characters` of the first and of the last, since a file of line ends alone has more lines than an array can hold.
 */
export function numberLines(options: {
  text: string;
  /** 1-based. */
  offset: number;
  /** @default all */
  limit?: number;
  characters: number;
}): {
  /** Of the whole text. */
  lineCount: number;
  lines: readonly string[];
  /** Characters between the first and the last lines that were left out. */
  omitted: number;
} {
  const { text, offset, limit = Number.POSITIVE_INFINITY, characters } = options;
  let [lineCount, start, end] = [0, offset === 1 ? 0 : text.length, text.length];
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== 0x0a && at < text.length - 1) continue;
    lineCount += 1;
    if (lineCount === offset - 1) start = at + 1;
    if (lineCount === offset - 1 + limit) end = at + 1;
  }
  const last = Math.min(lineCount, offset - 1 + limit);
  if (offset > last) return { lineCount, lines: [], omitted: 0 };
  if (text.charCodeAt(end - 1) === 0x0a) end -= 1;

  const head: string[] = [];
  let made = 0;
  const make = (lines: string[], number: number, from: number, to: number) => {
    const line = `${number}. ${text.slice(from, to)}`;
    lines.push(line);
    made += countCharacters(line) + 1;
  };
  let number = offset;
  for (; number <= last && made < characters; number += 1) {
    const to = lineEnd(text, start, end);
    make(head, number, start, to);
    start = to + 1;
  }
  const rest = start > end ? 0 : countCharacters(text.slice(start, end)) + prefixCharacters(number, last) + 1;
  const tail: string[] = [];
  made = 0;
  for (let back = last; back >= number && made < characters; back -= 1) {
    const from = end === start ? start : Math.max(start, text.lastIndexOf('\n', end - 1) + 1);
    make(tail, back, from, end);
    end = from - 1;
  }
  return { lineCount, lines: [...head, ...tail.reverse()], omitted: rest - made };
}

function lineEnd(text: string, start: number, end: number): number {
  const at = text.indexOf('\n', start);
  return at === -1 || at > end ? end : at;
}

/** Characters of `N. ` for the numbers from `first` to `last`. */
function prefixCharacters(first: number, last: number): number {
  let characters = 2 * (last - first + 1);
  for (let power = 1; power <= last; power *= 10) characters += last - Math.max(first, power) + 1;
  return characters;
}
