import type { Node } from '@vscode/tree-sitter-wasm';
import { languageOf } from '../../generator/languages/languages.js';
import { createParserCache } from '../../generator/syntax-parser.js';

/** A language whose tests and doc comments can be read here. */
export type SourceLanguage = 'javascript' | 'typescript' | 'python';

/** By grammar. */
const readable: Readonly<Record<string, SourceLanguage>> = {
  javascript: 'javascript',
  typescript: 'typescript',
  tsx: 'typescript',
  python: 'python',
};
const parsers = createParserCache();

/** Longer files are not read, in UTF-16 units. */
const largestText = 2 ** 18;

/**
 * Parses a file and gives what `read` makes of its tree, which ends with the call.
 * @returns `null` for a language without a grammar here, a file of more than 256 Ki characters, and one with a syntax error,
 * of which nothing is certain.
 */
export async function parseSource<Result>(options: {
  file: string;
  text: string;
  read: (root: Node, language: SourceLanguage) => Result | null;
}): Promise<Result | null> {
  const grammar = languageOf(options.file)?.grammar ?? '';
  const language = readable[grammar];
  if (language === undefined || options.text.length > largestText) return null;
  const tree = (await parsers.parserFor(grammar)).parse(options.text);
  try {
    return tree === null || tree.rootNode.hasError ? null : options.read(tree.rootNode, language);
  } finally {
    tree?.delete();
  }
}
