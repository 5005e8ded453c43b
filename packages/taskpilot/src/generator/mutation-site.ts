import type { Parser, Tree } from '@vscode/tree-sitter-wasm';
import type { Language } from './languages/language.js';
import { createLineIndex, type LineIndex } from './line-index.js';
import type { MutationOperator, Replacement } from './mutation-operator.js';
import { statementAround } from './statements.js';
import { descendants, readTree, type SyntaxNode } from './syntax-node.js';

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
  return tree === null ? null : { ...options, tree, root: readTree(tree, options.text), lines: createLineIndex(options.text) };
}

/** Every site of a file, in document order; none inside types, imports and the like, nor in a statement with a syntax error. */
export function collectSites(options: { source: ParsedFile; operators: readonly MutationOperator[] }): MutationSite[] {
  const { source, operators } = options;
  const { language, text, root, lines } = source;
  const byType = new Map<string, MutationOperator[]>();
  for (const operator of operators) {
    for (const type of operator.nodeTypes(language)) byType.set(type, [...(byType.get(type) ?? []), operator]);
  }
  const isBroken = createErrorTest(source);
  const sites: MutationSite[] = [];
  for (const node of descendants(root, language.untouched)) {
    const asked = node.isNamed ? byType.get(node.type) : undefined;
    if (asked === undefined || isBroken(node)) continue;
    for (const operator of asked) {
      for (const replacements of operator.mutations({ node, text, language })) {
        if (!replacements.some((part) => text.slice(part.start, part.end) !== part.text)) continue;
        sites.push({ source, operator: operator.name, replacements, line: lines.lineAt(replacements[0]?.start ?? 0) });
      }
    }
  }
  return sites;
}

/** Whether the smallest statement around a node holds a syntax error of the file's own. */
function createErrorTest({ tree, root, language }: ParsedFile): (node: SyntaxNode) => boolean {
  if (!tree.rootNode.hasError) return () => false;
  const errors = [...descendants(root)].filter(({ type }) => type === 'ERROR');
  return (node) => {
    const { start, end } = statementAround(node, language);
    return errors.some((error) => start <= error.start && error.end <= end);
  };
}
