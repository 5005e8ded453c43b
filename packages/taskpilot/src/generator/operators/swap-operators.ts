import type { MutationOperator, SyntaxNode } from '../mutation-operator.js';

/** Exchanges two neighbouring arguments of a call; spreads and function arguments stay. */
export const swapArguments: MutationOperator = {
  name: 'swap-arguments',
  nodeTypes: ['call_expression', 'new_expression'],
  replacements(node) {
    const list = node.childForFieldName('arguments');
    const values = list?.type === 'arguments' ? list.namedChildren.filter((child) => child !== null) : [];
    return values.slice(1).flatMap((right, index) => {
      const left = values[index];
      return left === undefined || fixed.has(left.type) || fixed.has(right.type) ? [] : exchange(node, left, right);
    });
  },
};

/** Exchanges the two branches of `? :`. */
export const swapBranches: MutationOperator = {
  name: 'swap-branches',
  nodeTypes: ['ternary_expression'],
  replacements(node) {
    const consequence = node.childForFieldName('consequence');
    const alternative = node.childForFieldName('alternative');
    return consequence === null || alternative === null ? [] : exchange(node, consequence, alternative);
  },
};

const fixed = new Set(['spread_element', 'comment', 'arrow_function', 'function_expression', 'function', 'class']);

function exchange(whole: SyntaxNode, left: SyntaxNode, right: SyntaxNode) {
  if (left.text === right.text) return [];
  const between = whole.text.slice(left.endIndex - whole.startIndex, right.startIndex - whole.startIndex);
  return [{ start: left.startIndex, end: right.endIndex, text: `${right.text}${between}${left.text}` }];
}
