import type { MutationOperator } from '../mutation-operator.js';

const pairs = [
  ['indexOf', 'lastIndexOf'],
  ['shift', 'pop'],
  ['push', 'unshift'],
  ['min', 'max'],
  ['floor', 'ceil'],
  ['some', 'every'],
  ['startsWith', 'endsWith'],
  ['toLowerCase', 'toUpperCase'],
  ['trimStart', 'trimEnd'],
  ['padStart', 'padEnd'],
] as const;

/** Calls the mirror image of a built-in method: `indexOf` and `lastIndexOf`, `min` and `max` and so on. */
export const swapMethod: MutationOperator = {
  name: 'swap-method',
  nodeTypes: ['call_expression'],
  replacements(node) {
    const callee = node.childForFieldName('function');
    const property = callee?.type === 'member_expression' ? callee.childForFieldName('property') : null;
    if (property === null || property === undefined) return [];
    const pair = pairs.find((names) => names.some((name) => name === property.text));
    if (pair === undefined) return [];
    return [{ start: property.startIndex, end: property.endIndex, text: pair[0] === property.text ? pair[1] : pair[0] }];
  },
};
