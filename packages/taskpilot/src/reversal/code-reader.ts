import type { Parser, Tree, TreeCursor } from '@vscode/tree-sitter-wasm';
import { languageOf } from '../generator/languages/languages.js';
import { createParserCache } from '../generator/syntax-parser.js';

/** What a change of code can change besides its looks. */
export interface CodeReading {
  /** Equal for two texts that differ in white space, comments, quotes, trailing commas, semicolons or version numbers alone. */
  readonly meaning: string;
  /** Nodes that the grammar could not place; 0 where there is no grammar. */
  readonly syntaxErrors: number;
}

/** Makes a reader of source texts: by their grammar where there is one, else by lines. */
export function createCodeReader(): (options: { file: string; text: string }) => Promise<CodeReading> {
  const parsers = createParserCache();
  return async ({ file, text }) => {
    const language = languageOf(file);
    const parser = language === null ? null : await parsers.parserFor(language.grammar);
    const { tokens, syntaxErrors } = (parser === null ? null : readTokens({ parser, text })) ?? {
      tokens: readLines(text),
      syntaxErrors: 0,
    };
    return { meaning: normalise(tokens), syntaxErrors };
  };
}

function readTokens(options: { parser: Parser; text: string }): { tokens: string[]; syntaxErrors: number } | null {
  const tree: Tree | null = options.parser.parse(options.text);
  if (tree === null) return null;
  const cursor = tree.walk();
  try {
    return walk({ cursor, text: options.text });
  } finally {
    cursor.delete();
    tree.delete();
  }
}

function walk(options: { cursor: TreeCursor; text: string }): { tokens: string[]; syntaxErrors: number } {
  const { cursor, text } = options;
  const tokens: string[] = [];
  let [syntaxErrors, end] = [0, 0];
  for (const step of steps(cursor)) {
    // An indented block has no braces that would show where it ends.
    if (cursor.nodeType === 'block') tokens.push(step);
    if (step === 'leave') continue;
    if (cursor.nodeType === 'ERROR' || cursor.nodeIsMissing) syntaxErrors++;
    if (step === 'enter') continue;
    // Some grammars leave the text of a literal between its nodes.
    tokens.push(text.slice(end, cursor.startIndex).trim());
    if (!isComment(cursor)) tokens.push(text.slice(cursor.startIndex, cursor.endIndex));
    end = Math.max(end, cursor.endIndex);
  }
  return { tokens, syntaxErrors };
}

/** Moves through a tree in document order; a comment is one leaf. */
function* steps(cursor: TreeCursor): Generator<'enter' | 'leaf' | 'leave'> {
  for (;;) {
    if (!isComment(cursor) && cursor.gotoFirstChild()) {
      cursor.gotoParent();
      yield 'enter';
      cursor.gotoFirstChild();
      continue;
    }
    yield 'leaf';
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) return;
      yield 'leave';
    }
  }
}

function isComment({ nodeType }: TreeCursor): boolean {
  return nodeType.endsWith('comment');
}

/** Lines that are no comment as a whole; indentation counts, other white space does not. */
function readLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*($|#|\/\/|\/\*|\*)/.test(line))
    .map((line) => `${/^\s*/.exec(line)?.[0]}${line.trim().replace(/\s+/g, ' ')}`);
}

function normalise(tokens: readonly string[]): string {
  const kept = tokens.filter((token) => token !== ';' && token !== '');
  return kept
    .filter((token, index) => token !== ',' || !/^[)\]}]$/.test(kept[index + 1] ?? ''))
    .map((token) => (token === "'" ? '"' : token))
    .join('\n')
    .replace(/\b\d+\.\d+\.\d+(-[\w.]+)?/g, '0.0.0');
}
