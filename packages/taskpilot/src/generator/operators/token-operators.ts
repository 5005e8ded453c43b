import type { MutationOperator, SyntaxNode } from '../mutation-operator.js';
import { swapOperatorToken } from './swap-operator-token.js';

/** Bugs of one operator token. Loop increments are left alone: they mostly give endless loops. */
export const tokenOperators: readonly MutationOperator[] = [
  swapOperatorToken({
    name: 'flip-equality',
    nodeType: 'binary_expression',
    partners: { '===': ['!=='], '!==': ['==='], '==': ['!='], '!=': ['=='] },
  }),
  swapOperatorToken({
    name: 'shift-boundary',
    nodeType: 'binary_expression',
    partners: { '<': ['<='], '<=': ['<'], '>': ['>='], '>=': ['>'] },
  }),
  swapOperatorToken({
    name: 'reverse-comparison',
    nodeType: 'binary_expression',
    partners: { '<': ['>'], '<=': ['>='], '>': ['<'], '>=': ['<='] },
  }),
  swapOperatorToken({ name: 'swap-logical', nodeType: 'binary_expression', partners: { '&&': ['||'], '||': ['&&'] } }),
  swapOperatorToken({
    name: 'swap-arithmetic',
    nodeType: 'binary_expression',
    partners: { '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'] },
    accepts: (node) => !joinsText(node),
  }),
  swapOperatorToken({
    name: 'swap-bitwise',
    nodeType: 'binary_expression',
    partners: { '&': ['|'], '|': ['&'], '^': ['&'], '<<': ['>>'], '>>': ['<<'], '>>>': ['<<'] },
  }),
  swapOperatorToken({
    name: 'flip-update',
    nodeType: 'update_expression',
    partners: { '++': ['--'], '--': ['++'] },
    accepts: (node) => !isLoopIncrement(node),
  }),
  swapOperatorToken({
    name: 'flip-assignment',
    nodeType: 'augmented_assignment_expression',
    partners: { '+=': ['-='], '-=': ['+='], '*=': ['/='], '/=': ['*='], '&=': ['|='], '|=': ['&='] },
    accepts: (node) => !isLoopIncrement(node) && !joinsText(node),
  }),
];

function joinsText(node: SyntaxNode): boolean {
  return ['left', 'right'].some((side) => ['string', 'template_string'].includes(node.childForFieldName(side)?.type ?? ''));
}

function isLoopIncrement(node: SyntaxNode): boolean {
  const increment = node.parent?.type === 'for_statement' ? node.parent.childForFieldName('increment') : null;
  return increment !== null && increment.startIndex === node.startIndex && increment.endIndex === node.endIndex;
}
