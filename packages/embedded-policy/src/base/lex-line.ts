/** A piece of one line of JavaScript, by a cheap lexer: enough to find operators outside strings and comments. */
export interface LinePiece {
  readonly kind: 'word' | 'number' | 'string' | 'comment' | 'operator' | 'space';
  readonly text: string;
  readonly start: number;
}

const PIECE =
  /(?<comment>\/\/.*|\/\*.*?(?:\*\/|$))|(?<string>'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|`(?:[^`\\]|\\.)*`?)|(?<number>\d[\w.]*)|(?<word>[A-Za-z_$][\w$]*)|(?<space>\s+)|(?<operator>>>>=?|===|!==|\.\.\.|\*\*|<<=?|>>=?|&&|\|\||\?\?|\?\.|=>|==|!=|<=|>=|\+\+|--|[-+*/%&|^]=|[\s\S])/g;

/** Cuts a line into pieces that, joined, are the line. A regular expression literal is not recognised. */
export function lexLine(line: string): LinePiece[] {
  return Array.from(line.matchAll(PIECE), ({ groups, index, 0: text }) => {
    const kind = Object.keys(groups ?? {}).find((name) => groups?.[name] !== undefined) as LinePiece['kind'];
    return { kind, text, start: index };
  });
}

/** True for a line that is wholly or partly inside a comment, as far as one line can tell. */
export function looksLikeComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*)/.test(line);
}
