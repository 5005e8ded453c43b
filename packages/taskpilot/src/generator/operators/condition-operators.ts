import type { MutationOperator, SyntaxNode } from '../mutation-operator.js';

/**
 * Negates the condition of an `if` or of `? :`, or takes its negation away. Loop conditions are left
 * alone (endless or empty loops), comparisons and `&&` too: `flip-equality` and its like write those as a person would.
 */
export const negateCondition: MutationOperator = {
  name: 'negate-condition',
  nodeTypes: ['if_statement', 'ternary_expression'],
  replacements(node) {
    const field = node.childForFieldName('condition');
    const condition = field?.type === 'parenthesized_expression' ? (field.namedChildren[0] ?? null) : field;
    if (condition === null || condition.type === 'comment' || hasOwnOperator(condition)) return [];
    const inner = negated(condition);
    const text = inner !== null ? inner.text : simple.has(condition.type) ? `!${condition.text}` : `!(${condition.text})`;
    return [{ start: condition.startIndex, end: condition.endIndex, text }];
  },
};

/** Takes one `!` away anywhere else. */
export const dropNegation: MutationOperator = {
  name: 'drop-negation',
  nodeTypes: ['unary_expression'],
  replacements(node) {
    const inner = negated(node);
    if (inner === null || node.parent === null) return [];
    const holder = node.parent.type === 'parenthesized_expression' ? node.parent.parent : node.parent;
    if (holder?.type === 'if_statement' || holder?.type === 'ternary_expression') return [];
    return [{ start: node.startIndex, end: node.endIndex, text: inner.text }];
  },
};

const simple = new Set(['identifier', 'member_expression', 'call_expression', 'subscript_expression', 'true', 'false', 'this']);

function hasOwnOperator(node: SyntaxNode): boolean {
  return node.type === 'binary_expression' && !['in', 'instanceof'].includes(node.childForFieldName('operator')?.text ?? '');
}

function negated(node: SyntaxNode): SyntaxNode | null {
  return node.type === 'unary_expression' && node.childForFieldName('operator')?.text === '!' ? node.childForFieldName('argument') : null;
}
