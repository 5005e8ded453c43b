import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { Parser } from '@vscode/tree-sitter-wasm';
import treeSitter from '@vscode/tree-sitter-wasm';

const grammars: Readonly<Record<string, string>> = {
  '.js': 'javascript',
  '.cjs': 'javascript',
  '.mjs': 'javascript',
  '.jsx': 'javascript',
  '.ts': 'typescript',
  '.cts': 'typescript',
  '.mts': 'typescript',
  '.tsx': 'tsx',
};

/** Loads tree-sitter (WebAssembly) grammars on first use and keeps them. */
export function createParserCache(): { parserFor(file: string): Promise<Parser | null> } {
  const parsers = new Map<string, Promise<Parser>>();
  return {
    /** A parser for the file's language, or `null` when there is none. */
    async parserFor(file) {
      const grammar = grammars[extname(file).toLowerCase()];
      if (grammar === undefined || /\.d\.[cm]?ts$/i.test(file)) return null;
      let parser = parsers.get(grammar);
      if (parser === undefined) {
        parser = loadParser(grammar);
        parsers.set(grammar, parser);
      }
      return parser;
    },
  };
}

async function loadParser(grammar: string): Promise<Parser> {
  const resolve = createRequire(import.meta.url).resolve;
  await treeSitter.Parser.init();
  const bytes = await readFile(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`));
  return new treeSitter.Parser().setLanguage(await treeSitter.Language.load(bytes));
}
