import { partsOf } from '../languages/language.js';
import type { MutationOperator } from '../mutation-operator.js';
import { replaceNode, textOf } from '../place-text.js';

/** `true` for `false` and the reverse. */
export const flipBoolean: MutationOperator = {
  name: 'flip-boolean',
  family: 'constants',
  nodeTypes: (language) => language.booleans.types,
  mutations(place) {
    const flipped = place.language.booleans.flips[textOf(place.node, place)];
    return flipped === undefined ? [] : [[replaceNode(place.node, flipped)]];
  },
};

/** A decimal integer one higher or one lower; never below zero, where the sign could join another operator. */
export const shiftInteger: MutationOperator = {
  name: 'shift-integer',
  family: 'constants',
  nodeTypes: (language) => language.integers,
  mutations(place) {
    const { node, language } = place;
    const text = textOf(node, place);
    const isName = partsOf(node.parent, language.members)?.part('property') === node;
    if (isName || !/^(0|[1-9]\d{0,8})$/.test(text)) return [];
    const value = Number(text);
    const shifted = value === 0 ? [1] : [value + 1, value - 1];
    return shifted.map((other) => [replaceNode(node, String(other))]);
  },
};
