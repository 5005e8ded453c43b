import type { PatchLine } from './parse-patch.js';

/** A match of a pattern in the code of one line. */
export interface CodeMatch {
  readonly line: PatchLine;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Characters that a pattern sees at once, and how much of them it sees again: hostile lines must not cost quadratic time. */
const windowLength = 1000;
const windowOverlap = 200;

/**
 * Finds a pattern in the code of lines: comments are blanked first, and a match may not begin inside a string,
 * though it may contain one. Works on single lines: inside a comment or a template that began on an
 * earlier line it can err, except that a line which starts with `*` counts as a comment. In lines of more than
 * 1000 characters a match of more than 200 can be missed.
 */
export function matchCode(options: { lines: readonly PatchLine[]; path: string; pattern: RegExp }): readonly CodeMatch[] {
  const { lines, path } = options;
  const pattern = new RegExp(options.pattern.source, `${options.pattern.flags.replace('g', '')}g`);
  return lines.flatMap((line) => {
    const { code, isString } = readLine(line.text, path);
    const matches: CodeMatch[] = [];
    for (let from = 0; from === 0 || from + windowOverlap < code.length; from += windowLength - windowOverlap) {
      for (const match of code.slice(from, from + windowLength).matchAll(pattern)) {
        const start = from + match.index;
        const isNew = start >= (matches[matches.length - 1]?.end ?? 0);
        if (isNew && !isString[start]) matches.push({ line, start, end: start + match[0].length, text: match[0] });
      }
    }
    return matches;
  });
}

/** The line with its comments blanked, and for every character whether it stands inside a string. */
function readLine(text: string, path: string): { code: string; isString: readonly boolean[] } {
  const isString = Array.from({ length: text.length }, () => false);
  const piece = /\.(py|sh|ya?ml|toml|cfg|ini)$/.test(path) ? hashPiece : slashPiece;
  const commentEnd = /^\s*\*(?:.*?\*\/|.*)/.exec(text)?.[0].length ?? 0;
  const code = text.replace(/^\s*\*(?:.*?\*\/|.*)/, ' '.repeat(commentEnd)).replace(piece, (match: string, ...groups: unknown[]) => {
    const start = groups.find((group) => typeof group === 'number') ?? 0;
    if (!/^['"`]/.test(match)) return ' '.repeat(match.length);
    isString.fill(true, start + 1, start + match.length);
    return match;
  });
  return { code, isString };
}

/** A string, closed or not, or a comment. */
const slashPiece = /'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?|`(?:\\.|[^`\\])*`?|\/\/.*|\/\*.*?(?:\*\/|$)/g;
const hashPiece = /'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?|#.*/g;
