import type { MutationOperator } from './mutation-operator.js';
import { breakChain } from './operators/break-chain.js';
import { dropArgument, repeatArgument, unwrapCall } from './operators/call-operators.js';
import { dropConditionSide, dropNegation, negateCondition } from './operators/condition-operators.js';
import { invertIfElse, removeCondition, removeIf, removeLoop, swapBreakContinue } from './operators/control-flow-operators.js';
import { dropBaseClass } from './operators/drop-base-class.js';
import { swapArguments, swapBranches, swapOperands } from './operators/exchange-operators.js';
import { flipBoolean, shiftInteger } from './operators/literal-operators.js';
import { removeAssignment, removeCall, removeOther, removeReturnValue, removeTry } from './operators/removal-operators.js';
import { removeBody } from './operators/remove-body.js';
import { swapBodies, swapStatements } from './operators/shuffle-operators.js';
import { swapMethod } from './operators/swap-method.js';
import { tokenOperators } from './operators/token-operators.js';
import { functionAround } from './statements.js';

/** Names of operators that change what is decided, not what is done. */
const deciding = [
  ...['flip-equality', 'shift-boundary', 'reverse-comparison', 'swap-logical', 'negate-condition', 'drop-negation', 'swap-branches'],
  ...['break-chain', 'drop-condition-side', 'invert-if-else', 'remove-condition', 'remove-if'],
];

const smallOperators: readonly MutationOperator[] = [
  ...tokenOperators,
  flipBoolean,
  shiftInteger,
  negateCondition,
  dropNegation,
  swapArguments,
  swapBranches,
  swapMethod,
];

const allOperators: readonly MutationOperator[] = [
  ...smallOperators,
  swapOperands,
  breakChain,
  dropConditionSide,
  invertIfElse,
  swapBreakContinue,
  removeLoop,
  removeCondition,
  removeIf,
  dropArgument,
  repeatArgument,
  unwrapCall,
  removeCall,
  removeAssignment,
  removeOther,
  removeTry,
  removeReturnValue,
  removeBody,
  swapStatements,
  swapBodies,
  dropBaseClass,
];

/** The operators of the procedural generator, for every language in its tables. A new one is one file and one entry here. */
export const mutationOperators: readonly MutationOperator[] = allOperators.map((operator) =>
  deciding.includes(operator.name) ? inFunctions(operator) : operator,
);

/** The operators that change a few characters, at the places where those lie in one line. Use with `singleLineEdit`. */
export const lineOperators: readonly MutationOperator[] = smallOperators.map(inOneLine);

function inOneLine(operator: MutationOperator): MutationOperator {
  return {
    ...operator,
    mutations: (place) =>
      operator
        .mutations(place)
        .filter((parts) => parts.every(({ start, end, text }) => !/[\r\n]/.test(place.text.slice(start, end) + text))),
  };
}

/** What code decides while it is loaded is mostly about its environment, and a test sees one environment. */
function inFunctions(operator: MutationOperator): MutationOperator {
  return {
    ...operator,
    mutations: (place) => (functionAround(place.node, place.language) === null ? [] : operator.mutations(place)),
  };
}
