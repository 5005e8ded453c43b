import type { Tree } from '@vscode/tree-sitter-wasm';

/** A node of a syntax tree as plain data. `start` and `end` are UTF-16 offsets in the source. */
export interface SyntaxNode {
  /** Name in the grammar, or the token itself for punctuation and keywords. */
  readonly type: string;
  readonly isNamed: boolean;
  /** Field under which the parent knows it. */
  readonly field: string | undefined;
  readonly start: number;
  readonly end: number;
  /** 0-based line on which it starts. */
  readonly line: number;
  readonly children: readonly SyntaxNode[];
  readonly parent: SyntaxNode | undefined;
  /** The source between `start` and `end`. */
  readonly text: string;
}

class PlainNode implements SyntaxNode {
  readonly children: PlainNode[] = [];

  constructor(
    readonly source: string,
    readonly type: string,
    readonly isNamed: boolean,
    readonly field: string | undefined,
    readonly start: number,
    readonly end: number,
    readonly line: number,
    readonly parent: PlainNode | undefined,
  ) {}

  get text(): string {
    return this.source.slice(this.start, this.end);
  }
}

/** Copies a tree out of WebAssembly. */
export function readTree(options: { tree: Tree; text: string }): SyntaxNode {
  const cursor = options.tree.walk();
  const nodeHere = (parent: PlainNode | undefined) => {
    const { nodeType, nodeIsNamed, currentFieldName, startIndex, endIndex, startPosition } = cursor;
    const field = currentFieldName ?? undefined;
    const node = new PlainNode(options.text, nodeType, nodeIsNamed, field, startIndex, endIndex, startPosition.row, parent);
    parent?.children.push(node);
    return node;
  };
  try {
    const root = nodeHere(undefined);
    let parent: PlainNode | undefined = root;
    if (!cursor.gotoFirstChild()) return root;
    while (parent !== undefined) {
      const node: PlainNode = nodeHere(parent);
      if (cursor.gotoFirstChild()) {
        parent = node;
        continue;
      }
      while (parent !== undefined && !cursor.gotoNextSibling()) {
        cursor.gotoParent();
        parent = parent.parent;
      }
    }
    return root;
  } finally {
    cursor.delete();
  }
}

/** The node and everything below it, in the order of the source. */
export function* descendants(node: SyntaxNode): Generator<SyntaxNode> {
  const open: SyntaxNode[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    for (let index = next.children.length - 1; index >= 0; index -= 1) open.push(next.children[index] as SyntaxNode);
  }
}

/** The nodes of these types at or below a node, in the order of the source. */
export function nodesOf(node: SyntaxNode, ...types: readonly string[]): SyntaxNode[] {
  return [...descendants(node)].filter(({ type }) => types.includes(type));
}

/** The child under a field's name. */
export function childOf(node: SyntaxNode | undefined, field: string): SyntaxNode | undefined {
  return node?.children.find((child) => child.field === field);
}

/** Children that are no punctuation. */
export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter(({ isNamed }) => isNamed);
}
