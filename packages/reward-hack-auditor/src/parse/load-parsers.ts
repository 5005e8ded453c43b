import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import { readTree, type SyntaxNode } from './syntax-node.js';

/** Languages that rules read as syntax trees. `typescript` reads plain JavaScript too, `tsx` what holds JSX. */
export type ParsedLanguage = 'bash' | 'javascript' | 'python' | 'tsx' | 'typescript';

const languages: readonly ParsedLanguage[] = ['bash', 'javascript', 'python', 'tsx', 'typescript'];

interface Parsers {
  readonly parser: TreeSitter.Parser;
  readonly languages: ReadonlyMap<ParsedLanguage, TreeSitter.Language>;
}

let loading: Promise<void> | undefined;
let loaded: Parsers | undefined;

/**
 * Loads the grammars (tree-sitter, as WebAssembly) once a process. `auditTrajectory` does it by itself; who calls rules or
 * {@link parseSource} directly calls this first.
 *
 * @throws TadpoleError `missing-dependency` when a grammar's file is missing or broken.
 */
export function loadParsers(): Promise<void> {
  loading ??= load().catch((cause: Error) => {
    loading = undefined;
    throw new TadpoleError({
      code: 'missing-dependency',
      message: `Expected the grammars of @vscode/tree-sitter-wasm to load, got "${cause.message}". Install the packages again.`,
      cause,
    });
  });
  return loading;
}

async function load(): Promise<void> {
  const require = createRequire(import.meta.url);
  const library = require('@vscode/tree-sitter-wasm') as typeof TreeSitter;
  const folder = dirname(require.resolve('@vscode/tree-sitter-wasm'));
  await library.Parser.init({ locateFile: (name: string) => join(folder, name) });
  const grammars = await Promise.all(
    languages.map(async (name) => [name, await library.Language.load(await readFile(join(folder, `tree-sitter-${name}.wasm`)))] as const),
  );
  loaded = { parser: new library.Parser(), languages: new Map(grammars) };
}

/**
 * Reads a text as a syntax tree; what cannot be read becomes `ERROR` nodes in it. Nothing of it stays in WebAssembly's memory.
 *
 * @throws TadpoleError `invalid-input` before {@link loadParsers}.
 */
export function parseSource(options: { language: ParsedLanguage; text: string }): SyntaxNode {
  const { language, text } = options;
  const grammar = loaded?.languages.get(language);
  if (loaded === undefined || grammar === undefined) {
    throw new TadpoleError({ code: 'invalid-input', message: 'Expected loadParsers() to be awaited before sources are parsed.' });
  }
  loaded.parser.setLanguage(grammar);
  const tree = loaded.parser.parse(text);
  if (tree === null)
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a tree of a ${language} source, the parser gave none.` });
  try {
    return readTree({ tree, text });
  } finally {
    tree.delete();
  }
}
