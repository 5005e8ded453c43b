import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { Node, Parser } from '@vscode/tree-sitter-wasm';
import treeSitter from '@vscode/tree-sitter-wasm';

/** A language whose tests and doc comments can be read here. */
export type SourceLanguage = 'javascript' | 'typescript' | 'python';

const grammars: Readonly<Record<string, { readonly grammar: string; readonly language: SourceLanguage }>> = {
  '.js': { grammar: 'javascript', language: 'javascript' },
  '.cjs': { grammar: 'javascript', language: 'javascript' },
  '.mjs': { grammar: 'javascript', language: 'javascript' },
  '.jsx': { grammar: 'javascript', language: 'javascript' },
  '.ts': { grammar: 'typescript', language: 'typescript' },
  '.cts': { grammar: 'typescript', language: 'typescript' },
  '.mts': { grammar: 'typescript', language: 'typescript' },
  '.tsx': { grammar: 'tsx', language: 'typescript' },
  '.py': { grammar: 'python', language: 'python' },
};
const parsers = new Map<string, Promise<Parser>>();

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
  const known = grammars[extname(options.file).toLowerCase()];
  if (known === undefined || options.text.length > largestText) return null;
  const { grammar, language } = known;
  if (!parsers.has(grammar)) parsers.set(grammar, loadParser(grammar));
  const tree = (await (parsers.get(grammar) as Promise<Parser>)).parse(options.text);
  try {
    return tree === null || tree.rootNode.hasError ? null : options.read(tree.rootNode, language);
  } finally {
    tree?.delete();
  }
}

async function loadParser(grammar: string): Promise<Parser> {
  const resolve = createRequire(import.meta.url).resolve;
  await treeSitter.Parser.init();
  const bytes = await readFile(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`));
  return new treeSitter.Parser().setLanguage(await treeSitter.Language.load(bytes));
}
