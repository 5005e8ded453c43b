import { type Language, partsOf, typesOf } from '../languages/language.js';
import type { MutationOperator, SyntaxPlace } from '../mutation-operator.js';
import { partsIn, removeSpan, textOf } from '../place-text.js';
import type { SyntaxNode } from '../syntax-node.js';

/** Cuts the last link off `a + b + c`, and either end off `a < b < c`. */
export const breakChain: MutationOperator = {
  name: 'break-chain',
  family: 'operators',
  nodeTypes: (language) => typesOf(language.binaries),
  mutations(place) {
    const { node, language } = place;
    if (language.comparisonChains.includes(node.type)) return cutComparison(place);
    const left = partsOf(node, language.binaries)?.part('left') ?? null;
    if (left === null || !isLink(node, place, language) || !isLink(left, place, language)) return [];
    return [[removeSpan(left.end, node.end)]];
  },
};

function isLink(node: SyntaxNode, place: SyntaxPlace, language: Language): boolean {
  const operator = partsOf(node, language.binaries)?.part('operator') ?? null;
  const { arithmetic, bitwise } = language.tokens;
  return operator !== null && Object.hasOwn({ ...arithmetic, ...bitwise }, textOf(operator, place));
}

function cutComparison(place: SyntaxPlace) {
  const { node } = place;
  const operands = partsIn(node, place).filter(({ field }) => field !== 'operators');
  const [second, beforeLast] = [operands[1], operands.at(-2)];
  if (operands.length < 3 || second === undefined || beforeLast === undefined) return [];
  return [[removeSpan(beforeLast.end, node.end)], [removeSpan(node.start, second.start)]];
}
