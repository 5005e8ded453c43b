import type { MutationOperator } from './mutation-operator.js';
import { dropNegation, negateCondition } from './operators/condition-operators.js';
import { flipBoolean, shiftInteger } from './operators/literal-operators.js';
import { swapMethod } from './operators/swap-method.js';
import { swapArguments, swapBranches } from './operators/swap-operators.js';
import { tokenOperators } from './operators/token-operators.js';

/** The operators of the procedural generator, for JavaScript and TypeScript. A new one is one file and one entry here. */
export const mutationOperators: readonly MutationOperator[] = [
  ...tokenOperators,
  flipBoolean,
  shiftInteger,
  negateCondition,
  dropNegation,
  swapArguments,
  swapBranches,
  swapMethod,
];
