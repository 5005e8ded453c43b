/** See {@link tokenOverlap}. */
export interface TokenOverlap {
  /** In [0, 1]. */
  readonly share: number;
  readonly shared: readonly string[];
}

/** With fewer words than this a share says nothing; the lines themselves are compared too. */
const fewestTokens = 5;

const keywords = new Set(
  'and as async await break case catch class const continue def default delete do elif else except export extends false False finally for from function global if import in instanceof is lambda let new None nonlocal not null of or pass raise return self static super switch this throw true True try typeof undefined var void while with yield'.split(
    ' ',
  ),
);

/**
 * The share of the gold patch's words that a statement holds. Words are distinct identifiers and numbers of two characters
 * or more of the added lines, keywords and `publicNames` left out; those in the statement's text count, its code
 * included. A patch with fewer than five such words has the share 0.
 */
export function tokenOverlap(options: { statement: string; goldLines: readonly string[]; publicNames: readonly string[] }): TokenOverlap {
  const left = new Set([...keywords, ...options.publicNames.flatMap((name) => [...wordsOf(name)])]);
  const gold = [...wordsOf(options.goldLines.join('\n'))].filter((word) => !left.has(word));
  const statement = wordsOf(options.statement);
  const shared = gold.filter((word) => statement.has(word));
  return { share: gold.length < fewestTokens ? 0 : shared.length / gold.length, shared };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]+|\d[\d.]+/gu) ?? []);
}
