import type { PatchLine } from './parse-patch.js';

/** A match of a pattern in the code of one line. */
export interface CodeMatch {
  readonly line: PatchLine;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds a pattern in the code of lines: comments are blanked first, and a match may not begin inside a string,
 * though it may contain one. Works on single lines: inside a comment or a template that began on an
 * earlier line it can err, except that a line which starts with `*` counts as a comment.
 */
export function matchCode(options: { lines: readonly PatchLine[]; path: string; pattern: RegExp }): readonly CodeMatch[] {
  const { lines, path } = options;
  const pattern = new RegExp(options.pattern.source, `${options.pattern.flags.replace('g', '')}g`);
  return lines.flatMap((line) => {
    const { code, isString } = readLine(line.text, path);
    return [...code.matchAll(pattern)].flatMap((match) =>
      isString[match.index] ? [] : [{ line, start: match.index, end: match.index + match[0].length, text: match[0] }],
    );
  });
}

/** The line with its comments blanked, and for every character whether it stands inside a string. */
export function readLine(text: string, path: string): { code: string; isString: readonly boolean[] } {
  const isString = Array.from({ length: text.length }, () => false);
  if (/^\s*(\*|\/\*)/.test(text)) return { code: ' '.repeat(text.length), isString };
  const hash = /\.(py|sh|ya?ml|toml|cfg|ini)$/.test(path);
  let code = '';
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') {
      isString[at] = character !== quote;
      code += character;
      if (character === '\\') {
        at += 1;
        code += text[at] ?? '';
        isString[at] = true;
      } else if (character === quote) quote = '';
    } else if (hash ? character === '#' : text.startsWith('//', at)) {
      return { code: code + ' '.repeat(text.length - at), isString };
    } else if (!hash && text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      const end = close < 0 ? text.length : close + 2;
      code += ' '.repeat(end - at);
      at = end - 1;
    } else {
      if (character === '"' || character === "'" || character === '`') quote = character;
      code += character;
    }
  }
  return { code, isString };
}
