import { partsOf, typesOf } from '../languages/language.js';
import type { MutationOperator, SyntaxPlace } from '../mutation-operator.js';
import { partsIn, removeSpan, replaceNode, textOf } from '../place-text.js';
import { assignmentOf, bindsName, functionAround, isStatementPlace, removeStatement, statementOf } from '../statements.js';
import { descendants, type SyntaxNode } from '../syntax-node.js';
import { unwrapBlock } from '../unwrap-block.js';

/** Takes out a statement that is one call. */
export const removeCall: MutationOperator = {
  name: 'remove-call',
  family: 'removals',
  nodeTypes: (language) => language.expressionStatements,
  mutations(place) {
    const { node, language } = place;
    const inner = node.children[0];
    const call = inner !== undefined && language.callPrefixes.includes(inner.type) ? inner.children.find(({ isNamed }) => isNamed) : inner;
    const parts = partsOf(call ?? null, language.calls);
    if (parts === null || language.superCallees.includes(parts.part('callee')?.type ?? '')) return [];
    return removeStatement(node, place);
  },
};

/** Takes out an assignment, unless the name comes into being by it or what is assigned is a function. */
export const removeAssignment: MutationOperator = {
  name: 'remove-assignment',
  family: 'removals',
  nodeTypes: (language) => typesOf(language.assignments),
  mutations(place) {
    const { node, language } = place;
    const statement = statementOf(node, language);
    const value = assignmentOf(statement, language)?.value ?? null;
    if (value === null || isDefinition(value, place) || bindsName(statement, place)) return [];
    return removeStatement(statement, place);
  },
};

/** Takes out another statement that may be missing, such as one that raises an error. */
export const removeOther: MutationOperator = {
  name: 'remove-statement',
  family: 'removals',
  nodeTypes: (language) => language.discardable,
  mutations: (place) => removeStatement(place.node, place),
};

/** Keeps what stands inside `try` and its like, without the protection. */
export const removeTry: MutationOperator = {
  name: 'remove-try',
  family: 'removals',
  nodeTypes: (language) => typesOf(language.wrappers),
  mutations(place) {
    const { node, language } = place;
    const parts = partsOf(node, language.wrappers);
    const body = parts?.part('body') ?? null;
    if (parts === null || body === null || !isStatementPlace(node, language) || functionAround(node, language) === null) return [];
    const outside = node.children.filter((child) => child !== body).flatMap((child) => [...descendants(child)]);
    if (outside.some(({ type }) => parts.shape.unless.includes(type))) return [];
    const text = unwrapBlock({ body, statement: node, place });
    return text === null ? [] : [[replaceNode(node, text)]];
  },
};

/** Returns nothing where a value was returned. */
export const removeReturnValue: MutationOperator = {
  name: 'remove-return-value',
  family: 'removals',
  nodeTypes: (language) => (language.hasBareReturn === true ? typesOf(language.returns) : []),
  mutations(place) {
    const value = partsOf(place.node, place.language.returns)?.part('value') ?? null;
    const keyword = place.node.children[0];
    if (value === null || keyword === undefined || isNothing(value, place)) return [];
    return [[removeSpan(keyword.end, value.end)]];
  },
};

function isDefinition(value: SyntaxNode, place: SyntaxPlace): boolean {
  const { functions, classes } = place.language;
  const types = typesOf([...functions, ...classes]);
  let parts = [value];
  while (parts.length === 1 && !types.includes(parts[0]?.type ?? '')) parts = partsIn(parts[0] ?? value, place);
  return parts.length === 1;
}

function isNothing(value: SyntaxNode, place: SyntaxPlace): boolean {
  return ['null', 'undefined', 'None', 'void 0'].includes(textOf(value, place));
}
