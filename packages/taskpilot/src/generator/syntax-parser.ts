import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Parser } from '@vscode/tree-sitter-wasm';
import treeSitter from '@vscode/tree-sitter-wasm';

/** Loads tree-sitter (WebAssembly) grammars on first use and keeps them. */
export interface ParserCache {
  /** A parser for a grammar, by the name in its file: `tree-sitter-<grammar>.wasm`. */
  parserFor(grammar: string): Promise<Parser>;
}

/** Makes an empty {@link ParserCache}. */
export function createParserCache(): ParserCache {
  const parsers = new Map<string, Promise<Parser>>();
  return {
    parserFor(grammar) {
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
