import type { Tree } from '@vscode/tree-sitter-wasm';

/** One node of a parsed file, as plain data. Offsets are UTF-16 indices into the file's text. */
export interface SyntaxNode {
  /** Node type of the grammar; of an unnamed node, the token itself. */
  readonly type: string;
  /** False for tokens such as `(` and `if`. */
  readonly isNamed: boolean;
  /** The name under which its parent holds it, where the grammar gives one. */
  readonly field: string | null;
  readonly start: number;
  readonly end: number;
  readonly parent: SyntaxNode | null;
  readonly children: readonly SyntaxNode[];
}

/** Copies a tree out of WebAssembly, without the nodes that the parser only supposed. Deep trees need no deep stack. */
export function readTree(tree: Tree, text: string): SyntaxNode {
  const cursor = tree.walk();
  try {
    const open: (SyntaxNode & { children: SyntaxNode[] })[] = [];
    for (;;) {
      const parent = open.at(-1) ?? null;
      const node = {
        type: cursor.nodeType,
        isNamed: cursor.nodeIsNamed,
        field: cursor.currentFieldName,
        start: cursor.startIndex,
        // some grammars count the `\r` of a line end to the comment before it
        end: cursor.endIndex - (text[cursor.endIndex - 1] === '\r' ? 1 : 0),
        parent,
        children: [],
      };
      if (!cursor.nodeIsMissing) parent?.children.push(node);
      open.push(node);
      if (cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) {
        const closed = open.pop();
        if (!cursor.gotoParent()) return closed as SyntaxNode;
      }
      open.pop();
    }
  } finally {
    cursor.delete();
  }
}

/** A node and all below it, parents before children, in document order; nothing of a node whose type is among `except`. */
export function* descendants(root: SyntaxNode, except: readonly string[] = []): Generator<SyntaxNode> {
  const left = new Set(except);
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (left.has(node.type)) continue;
    yield node;
    for (let index = node.children.length - 1; index >= 0; index--) waiting.push(node.children[index] as SyntaxNode);
  }
}

/** The nearest node around `node` for which `test` holds. */
export function closest(node: SyntaxNode, test: (ancestor: SyntaxNode) => boolean): SyntaxNode | null {
  for (let at = node.parent; at !== null; at = at.parent) if (test(at)) return at;
  return null;
}

/** The smallest node that holds characters [start, end). */
export function nodeCovering(root: SyntaxNode, span: { readonly start: number; readonly end: number }): SyntaxNode {
  for (let node = root; ; ) {
    const inner = node.children.find((child) => child.start <= span.start && child.end >= span.end && child.end > child.start);
    if (inner === undefined) return node;
    node = inner;
  }
}
