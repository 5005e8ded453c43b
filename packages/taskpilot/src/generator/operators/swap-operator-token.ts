import type { MutationOperator, SyntaxNode } from '../mutation-operator.js';

/** Makes an operator that replaces the operator token of an expression by each of its partners. */
export function swapOperatorToken(options: {
  name: string;
  nodeType: 'binary_expression' | 'augmented_assignment_expression' | 'update_expression';
  /** Token to its partners. */
  partners: Readonly<Record<string, readonly string[]>>;
  /** False leaves the node alone. @default every node is taken */
  accepts?: (node: SyntaxNode) => boolean;
}): MutationOperator {
  const partners = new Map(Object.entries(options.partners));
  return {
    name: options.name,
    nodeTypes: [options.nodeType],
    replacements(node) {
      const token = node.childForFieldName('operator');
      if (token === null || options.accepts?.(node) === false) return [];
      return (partners.get(token.text) ?? []).map((text) => ({ start: token.startIndex, end: token.endIndex, text }));
    },
  };
}
