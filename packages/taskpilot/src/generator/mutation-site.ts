import type { Parser, Tree } from '@vscode/tree-sitter-wasm';
import type { Language } from './languages/language.js';
import { createLineIndex, type LineIndex } from './line-index.js';
import type { MutationOperator, Replacement } from './mutation-operator.js';
import { readTree, type SyntaxNode } from './syntax-node.js';

/** A parsed source file. `tree` belongs to whoever parsed it and must be deleted by them. */
export interface ParsedFile {
  readonly file: string;
  readonly text: string;
  readonly language: Language;
  readonly parser: Parser;
  readonly tree: Tree;
  /** The tree as plain data. */
  readonly root: SyntaxNode;
  readonly lines: LineIndex;
}

/** A place in a file where one operator can make one bug. */
export interface MutationSite {
  readonly source: ParsedFile;
  readonly operator: string;
  /** In order, without overlap; at least one. */
  readonly replacements: readonly Replacement[];
  /** 1-based line at which the first replacement starts. */
  readonly line: number;
}

/** Parses a file; `null` when the parser gives no tree. */
export function parseFile(options: { file: string; text: string; language: Language; parser: Parser }): ParsedFile | null {
  const tree = options.parser.parse(options.text);
  return tree === null ? null : { ...options, tree, root: readTree(tree), lines: createLineIndex(options.text) };
}

/** Every site of a file, in document order; none inside types, imports and the like. */
export function collectSites(options: { source: ParsedFile; operators: readonly MutationOperator[] }): MutationSite[] {
  const { source, operators } = options;
  const { language, text, root } = source;
  const byType = new Map<string, MutationOperator[]>();
  for (const operator of operators) {
    for (const type of operator.nodeTypes(language)) byType.set(type, [...(byType.get(type) ?? []), operator]);
  }
  const untouched = new Set(language.untouched);
  const sites: MutationSite[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (untouched.has(node.type)) continue;
    for (const operator of node.isNamed ? (byType.get(node.type) ?? []) : []) {
      for (const replacements of operator.mutations({ node, text, language })) {
        if (!replacements.some(({ start, end, text: after }) => text.slice(start, end) !== after)) continue;
        sites.push({ source, operator: operator.name, replacements, line: source.lines.lineAt(replacements[0]?.start ?? 0) });
      }
    }
    for (let index = node.children.length - 1; index >= 0; index--) waiting.push(node.children[index] as SyntaxNode);
  }
  return sites;
}
