import type { SyntaxNode } from '../../parse/syntax-node.js';

/** No source that people write is nested deeper; what is deeper is not looked at. */
const deepest = 120;

/** The nodes around a node, from the innermost, at most 120. */
export function* ancestors(node: SyntaxNode): Generator<SyntaxNode> {
  let at = node.parent;
  for (let depth = 0; at !== undefined && depth < deepest; depth += 1) {
    yield at;
    at = at.parent;
  }
}
