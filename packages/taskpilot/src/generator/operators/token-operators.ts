import { type Language, partsOf } from '../languages/language.js';
import type { MutationOperator, SyntaxPlace } from '../mutation-operator.js';
import { swapOperatorToken } from './swap-operator-token.js';

const binaries = (language: Language) => language.binaries;

/** Bugs of one operator token. Loop increments are left alone: they mostly give endless loops. */
export const tokenOperators: readonly MutationOperator[] = [
  swapOperatorToken({ name: 'flip-equality', family: 'operators', shapes: binaries, partners: (tokens) => tokens.equality }),
  swapOperatorToken({ name: 'shift-boundary', family: 'operators', shapes: binaries, partners: (tokens) => tokens.boundary }),
  swapOperatorToken({ name: 'reverse-comparison', family: 'operators', shapes: binaries, partners: (tokens) => tokens.direction }),
  swapOperatorToken({ name: 'swap-logical', family: 'conditions', shapes: binaries, partners: (tokens) => tokens.logical }),
  swapOperatorToken({
    name: 'swap-arithmetic',
    family: 'operators',
    shapes: binaries,
    partners: (tokens) => tokens.arithmetic,
    accepts: (place) => !joinsText(place),
  }),
  swapOperatorToken({ name: 'swap-bitwise', family: 'operators', shapes: binaries, partners: (tokens) => tokens.bitwise }),
  swapOperatorToken({
    name: 'flip-update',
    family: 'operators',
    shapes: (language) => language.updates,
    partners: (tokens) => tokens.update,
    accepts: (place) => !isLoopStep(place),
  }),
  swapOperatorToken({
    name: 'flip-assignment',
    family: 'operators',
    shapes: (language) => language.compoundAssignments,
    partners: (tokens) => tokens.assignment,
    accepts: (place) => !isLoopStep(place) && !joinsText(place),
  }),
];

/** Whether one side of a binary expression or a compound assignment is a literal of text. */
export function joinsText({ node, language }: SyntaxPlace): boolean {
  const parts = partsOf(node, [...language.binaries, ...language.compoundAssignments]);
  return (['left', 'right'] as const).some((side) => language.texts.includes(parts?.part(side)?.type ?? ''));
}

function isLoopStep({ node, language }: SyntaxPlace): boolean {
  return partsOf(node.parent, language.loopSteps)?.part('step') === node;
}
