import { partsOf, typesOf } from '../languages/language.js';
import type { MutationOperator, SyntaxPlace } from '../mutation-operator.js';
import { partsIn, removeSpan, replaceNode, textOf } from '../place-text.js';
import { functionAround } from '../statements.js';
import type { SyntaxNode } from '../syntax-node.js';

/** Leaves the last of several arguments out, where a callee copes with that; a function argument stays. */
export const dropArgument: MutationOperator = {
  name: 'drop-argument',
  family: 'calls',
  nodeTypes: (language) => typesOf(language.calls.filter(({ hasOptionalArguments }) => hasOptionalArguments === true)),
  mutations(place) {
    const values = argumentsOf(place);
    const [before, last] = [values.at(-2), values.at(-1)];
    if (before === undefined || last === undefined || isFunction(last, place)) return [];
    return [[removeSpan(before.end, last.end)]];
  },
};

/** Passes the same name twice instead of two names. */
export const repeatArgument: MutationOperator = {
  name: 'repeat-argument',
  family: 'calls',
  nodeTypes: (language) => typesOf(language.calls),
  mutations(place) {
    const values = argumentsOf(place);
    return values.slice(1).flatMap((right, index) => {
      const left = values[index];
      const areNames = left !== undefined && [left, right].every(({ type }) => place.language.identifiers.includes(type));
      return areNames && textOf(left, place) !== textOf(right, place) ? [[replaceNode(right, textOf(left, place))]] : [];
    });
  },
};

/** Uses what a call was made on, in place of its result: `f(x)` becomes `x`, `x.trim()` becomes `x`. */
export const unwrapCall: MutationOperator = {
  name: 'unwrap-call',
  family: 'calls',
  nodeTypes: (language) => typesOf(language.calls.filter(({ isConstruction }) => isConstruction !== true)),
  mutations(place) {
    const { node, language } = place;
    const inner = wrapped(place);
    if (inner === null || functionAround(node, language) === null || isDiscarded(node, place)) return [];
    if (language.texts.includes(inner.type) || language.superCallees.includes(inner.type)) return [];
    const text = textOf(inner, place);
    return [[replaceNode(node, standsAlone(inner, place) ? text : `(${text})`)]];
  },
};

function wrapped(place: SyntaxPlace): SyntaxNode | null {
  const { node, language } = place;
  const parts = partsOf(node, language.calls);
  const list = parts?.part('arguments') ?? null;
  if (parts === null || list === null || !language.argumentLists.includes(list.type)) return null;
  const callee = parts.part('callee');
  if (isStrictCall(place) || (callee !== null && language.superCallees.includes(callee.type))) return null;
  const values = partsIn(list, place);
  const only = values[0];
  if (only === undefined) return parts.part('object') ?? partsOf(callee, language.members)?.part('object') ?? null;
  return values.length === 1 && !language.fixedArguments.includes(only.type) && !isFunction(only, place) ? only : null;
}

/** Whether the value of a call is not used; taking such a call away is `remove-call`. */
function isDiscarded(node: SyntaxNode, { language }: SyntaxPlace): boolean {
  const parent = node.parent !== null && language.callPrefixes.includes(node.parent.type) ? node.parent.parent : node.parent;
  return parent === null || language.expressionStatements.includes(parent.type);
}

function standsAlone(inner: SyntaxNode, place: SyntaxPlace): boolean {
  const { language, node } = place;
  if (textOf(inner, place).includes('\n')) return false;
  if ([...language.atoms, ...language.integers, ...language.brackets].includes(inner.type)) return true;
  const holders = [...language.argumentLists, ...language.brackets, ...typesOf([...language.returns, ...language.bindings])];
  return holders.includes(node.parent?.type ?? '');
}

function argumentsOf(place: SyntaxPlace): SyntaxNode[] {
  const list = partsOf(place.node, place.language.calls)?.part('arguments') ?? null;
  return list !== null && place.language.argumentLists.includes(list.type) && !isStrictCall(place) ? partsIn(list, place) : [];
}

/** Whether the call is of a function that any other call of would fail at once. */
export function isStrictCall(place: SyntaxPlace): boolean {
  const callee = partsOf(place.node, place.language.calls)?.part('callee') ?? null;
  return callee !== null && place.language.strictCallees.includes(textOf(callee, place));
}

function isFunction(node: SyntaxNode, { language }: SyntaxPlace): boolean {
  return language.functions.some(({ type }) => type === node.type);
}
