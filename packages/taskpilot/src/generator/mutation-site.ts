import type { Parser, Tree } from '@vscode/tree-sitter-wasm';
import { createLineIndex, type LineIndex } from './line-index.js';
import type { MutationOperator, Replacement, SyntaxNode } from './mutation-operator.js';

/** A parsed source file. `tree` belongs to whoever parsed it and must be deleted by them. */
export interface ParsedFile {
  readonly file: string;
  readonly text: string;
  readonly parser: Parser;
  readonly tree: Tree;
  readonly lines: LineIndex;
}

/** A place in a file where one operator can make one bug. */
export interface MutationSite {
  readonly source: ParsedFile;
  readonly operator: string;
  readonly replacement: Replacement;
  /** 1-based. */
  readonly line: number;
}

/** Parses a file; `null` when the parser gives no tree. */
export function parseFile(options: { file: string; text: string; parser: Parser }): ParsedFile | null {
  const tree = options.parser.parse(options.text);
  return tree === null ? null : { ...options, tree, lines: createLineIndex(options.text) };
}

/** Every site of a file at which an operator changes characters of one line only, in document order. */
export function collectSites(options: { source: ParsedFile; operators: readonly MutationOperator[] }): MutationSite[] {
  const { source, operators } = options;
  const byType = new Map<string, MutationOperator[]>();
  for (const operator of operators) {
    for (const type of operator.nodeTypes) byType.set(type, [...(byType.get(type) ?? []), operator]);
  }
  const sites: MutationSite[] = [];
  for (const node of source.tree.rootNode.descendantsOfType([...byType.keys()])) {
    if (node === null || node.isMissing) continue;
    for (const operator of byType.get(node.type) ?? []) {
      for (const replacement of operator.replacements(node as SyntaxNode)) {
        const line = source.lines.lineAt(replacement.start);
        if (isOneLine({ source, replacement, line })) sites.push({ source, operator: operator.name, replacement, line });
      }
    }
  }
  return sites;
}

function isOneLine(options: { source: ParsedFile; replacement: Replacement; line: number }): boolean {
  const { start, end, text } = options.replacement;
  const before = options.source.text.slice(start, end);
  return before !== text && !/[\r\n]/.test(before + text) && options.source.lines.lineAt(Math.max(start, end - 1)) === options.line;
}
