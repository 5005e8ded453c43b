/** The part of a tree-sitter node that an operator reads. Offsets are UTF-16 indices into the file's text. */
export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly parent: SyntaxNode | null;
  readonly namedChildren: readonly (SyntaxNode | null)[];
  /** The child that the grammar calls `name`, or `null` where this node has none. */
  childForFieldName(name: string): SyntaxNode | null;
}

/** Replace characters [start, end) of the file by `text`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One kind of bug, as data: where it applies and what it writes there. */
export interface MutationOperator {
  /** Kebab-case; recorded in the task's lineage and never shown to the agent. */
  readonly name: string;
  /** Syntax node types (JavaScript and TypeScript grammars) that it is asked about. */
  readonly nodeTypes: readonly string[];
  /** The bugs it can make at a node: each one alone, none is also an answer. Pure. */
  replacements(node: SyntaxNode): readonly Replacement[];
}
