import type { MutationOperator, SyntaxNode } from '../mutation-operator.js';

/** `true` for `false` and the reverse. */
export const flipBoolean: MutationOperator = {
  name: 'flip-boolean',
  nodeTypes: ['true', 'false'],
  replacements: (node) =>
    isType(node) ? [] : [{ start: node.startIndex, end: node.endIndex, text: node.type === 'true' ? 'false' : 'true' }],
};

/** A decimal integer one higher or one lower; never below zero, where the sign could join another operator. */
export const shiftInteger: MutationOperator = {
  name: 'shift-integer',
  nodeTypes: ['number'],
  replacements(node) {
    if (!/^(0|[1-9]\d{0,8})$/.test(node.text) || isType(node)) return [];
    const value = Number(node.text);
    const shifted = value === 0 ? [1] : [value + 1, value - 1];
    return shifted.map((other) => ({ start: node.startIndex, end: node.endIndex, text: String(other) }));
  },
};

/** Types are erased, so a change there is no bug. */
function isType(node: SyntaxNode): boolean {
  return node.parent?.type === 'literal_type' || node.parent?.parent?.type === 'literal_type';
}
