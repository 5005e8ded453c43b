import { partsOf, typesOf } from '../languages/language.js';
import type { MutationOperator } from '../mutation-operator.js';
import { exchangeNeighbours, textOf } from '../place-text.js';
import { isStrictCall } from './call-operators.js';
import { joinsText } from './token-operators.js';

/** Exchanges two neighbouring arguments of a call; spreads and function arguments stay. */
export const swapArguments: MutationOperator = {
  name: 'swap-arguments',
  family: 'calls',
  nodeTypes: (language) => typesOf(language.calls),
  mutations(place) {
    const { node, language } = place;
    const list = partsOf(node, language.calls)?.part('arguments') ?? null;
    const isOpen = list !== null && language.argumentLists.includes(list.type) && !isStrictCall(place);
    const values = isOpen ? list.children.filter(({ isNamed }) => isNamed) : [];
    return values.slice(1).flatMap((right, index) => {
      const left = values[index];
      const isFixed = left === undefined || [left, right].some(({ type }) => language.fixedArguments.includes(type));
      return isFixed ? [] : exchangeNeighbours(left, right, place);
    });
  },
};

/** Exchanges the two values of a conditional expression. */
export const swapBranches: MutationOperator = {
  name: 'swap-branches',
  family: 'control-flow',
  nodeTypes: (language) => typesOf(language.conditionals),
  mutations(place) {
    const parts = partsOf(place.node, place.language.conditionals);
    const [consequence, alternative] = [parts?.part('consequence') ?? null, parts?.part('alternative') ?? null];
    return consequence === null || alternative === null ? [] : exchangeNeighbours(consequence, alternative, place);
  },
};

/** Exchanges the sides of an operator where order matters; of comparisons `reverse-comparison` does it. */
export const swapOperands: MutationOperator = {
  name: 'swap-operands',
  family: 'operators',
  nodeTypes: (language) => typesOf(language.binaries),
  mutations(place) {
    const parts = partsOf(place.node, place.language.binaries);
    const [left, operator, right] = (['left', 'operator', 'right'] as const).map((name) => parts?.part(name) ?? null);
    if (!left || !operator || !right) return [];
    const token = textOf(operator, place);
    const isOrdered = place.language.orderedOperators.includes(token) || (token === '+' && joinsText(place));
    return isOrdered ? exchangeNeighbours(left, right, place) : [];
  },
};
