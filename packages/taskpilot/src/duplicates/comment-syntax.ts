/** What the lexer has to know of a language to tell comments and strings from code. */
export interface CommentSyntax {
  /** Starts a comment that ends with the line; sticky. */
  readonly lineComment?: RegExp;
  /** Whether `/*` starts a comment; `nested` where one may hold another. */
  readonly blockComment?: 'flat' | 'nested';
  /** Delimiters of strings that may span lines, tried before `quotes`. */
  readonly longQuotes?: readonly string[];
  /** Delimiters of strings that end on their line. */
  readonly quotes?: string;
  /** A `'` starts a lifetime unless it encloses one character. */
  readonly hasLifetimes?: boolean;
  readonly hasRegexLiterals?: boolean;
}

const slashes: CommentSyntax = { lineComment: /\/\//y, blockComment: 'flat', quotes: `"'` };
const javascript: CommentSyntax = { ...slashes, longQuotes: ['`'], hasRegexLiterals: true };
const javaLike: CommentSyntax = { ...slashes, longQuotes: ['"""'] };
const hashes: CommentSyntax = { lineComment: /(?<=^|\s)#/y, quotes: `"'` };
const python: CommentSyntax = { lineComment: /#/y, longQuotes: ['"""', "'''"], quotes: `"'` };

const families: readonly (readonly [string, CommentSyntax])[] = [
  ['js jsx mjs cjs ts tsx mts cts', javascript],
  ['java kt kts scala swift', javaLike],
  ['go', { ...slashes, longQuotes: ['`'] }],
  ['rs', { lineComment: /\/\//y, blockComment: 'nested', quotes: '"', hasLifetimes: true }],
  ['c h cc hh cpp hpp cs m dart', slashes],
  ['php', { ...slashes, lineComment: /\/\/|#(?!\[)/y }],
  ['py pyi pyx', python],
  ['rb sh bash yml yaml toml pl r', hashes],
];

/** The syntax of a file by its extension; nothing is a comment or a string in a file of another kind. */
export function commentSyntax(path: string): CommentSyntax {
  const extension = /\.([a-z]+)$/i.exec(path.slice(-12))?.[1]?.toLowerCase() ?? '';
  return families.find(([extensions]) => extensions.split(' ').includes(extension))?.[1] ?? {};
}
