import type { SyntaxNode } from '../../parse/syntax-node.js';

/** Code that changes something it does not own, or calls something of a module. */
export interface Mutation {
  /** Dotted path of what is changed or called, with imports and aliases resolved: `decimal.getcontext().rounding`, `vitest.expect.extend`. */
  readonly target: string;
  readonly how: 'assign' | 'delete' | 'call';
  /** Source of the new value, or of the arguments. */
  readonly value: string;
  /** Functions around it, from the innermost. */
  readonly functions: readonly SyntaxNode[];
  readonly node: SyntaxNode;
}

/** The functions around a node, from the innermost. */
export function functionsAround(node: SyntaxNode): readonly SyntaxNode[] {
  const functions: SyntaxNode[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (/^(function_definition|function_declaration|function_expression|arrow_function|method_definition|lambda)$/.test(at.type))
      functions.push(at);
  }
  return functions;
}
