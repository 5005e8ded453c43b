import { partsOf, typesOf } from '../languages/language.js';
import type { MutationOperator } from '../mutation-operator.js';
import { replaceNode, textOf } from '../place-text.js';

/** Calls the mirror image of a built-in method: `indexOf` and `lastIndexOf`, `min` and `max` and so on. */
export const swapMethod: MutationOperator = {
  name: 'swap-method',
  family: 'calls',
  nodeTypes: (language) => typesOf(language.calls),
  mutations(place) {
    const { node, language } = place;
    const callee = partsOf(node, language.calls)?.part('callee') ?? null;
    const property = partsOf(callee, language.members)?.part('property') ?? null;
    const name = property ?? (callee !== null && language.identifiers.includes(callee.type) ? callee : null);
    if (name === null) return [];
    const text = textOf(name, place);
    const pair = (property === null ? language.functionPairs : language.methodPairs).find((names) => names.includes(text));
    return pair === undefined ? [] : [[replaceNode(name, pair[0] === text ? pair[1] : pair[0])]];
  },
};
