import { type Language, partsOf, typesOf } from '../languages/language.js';
import type { MutationOperator, SyntaxPlace } from '../mutation-operator.js';
import { removeSpan, replaceNode, textOf } from '../place-text.js';
import type { SyntaxNode } from '../syntax-node.js';

/**
 * Negates the condition of an `if` or of a conditional expression, or takes its negation away. Loop conditions are
 * left alone (endless or empty loops), comparisons and `&&` too: `flip-equality` and its like write those as a person would.
 */
export const negateCondition: MutationOperator = {
  name: 'negate-condition',
  family: 'conditions',
  nodeTypes: (language) => typesOf(language.conditions),
  mutations(place) {
    const { node, language } = place;
    const field = partsOf(node, language.conditions)?.part('condition') ?? null;
    const isBracketed = field !== null && language.brackets.includes(field.type);
    const condition = isBracketed ? (field.children.find(({ isNamed }) => isNamed) ?? null) : field;
    if (condition === null || language.comments.includes(condition.type) || hasOwnOperator(condition, place)) return [];
    const inner = negated(condition, place);
    const { prefix } = language.negation;
    const text = textOf(condition, place);
    if (inner !== null) return [[replaceNode(condition, textOf(inner, place))]];
    return [[replaceNode(condition, language.atoms.includes(condition.type) ? `${prefix}${text}` : `${prefix}(${text})`)]];
  },
};

/** Takes one negation away anywhere else. */
export const dropNegation: MutationOperator = {
  name: 'drop-negation',
  family: 'conditions',
  nodeTypes: (language) => [language.negation.type],
  mutations(place) {
    const { node, language } = place;
    const inner = negated(node, place);
    if (inner === null || node.parent === null) return [];
    const holder = language.brackets.includes(node.parent.type) ? node.parent.parent : node.parent;
    if (partsOf(holder, language.conditions) !== null) return [];
    return [[replaceNode(node, textOf(inner, place))]];
  },
};

/** Keeps only one side of a logical operator: a case that was thought of is forgotten. */
export const dropConditionSide: MutationOperator = {
  name: 'drop-condition-side',
  family: 'conditions',
  nodeTypes: (language) => typesOf(language.binaries),
  mutations(place) {
    const sides = logicalSides(place.node, place, place.language);
    if (sides === null) return [];
    return [[removeSpan(sides.left.end, place.node.end)], [removeSpan(place.node.start, sides.right.start)]];
  },
};

function logicalSides(node: SyntaxNode, place: SyntaxPlace, language: Language) {
  const parts = partsOf(node, language.binaries);
  const [left, operator, right] = (['left', 'operator', 'right'] as const).map((name) => parts?.part(name) ?? null);
  if (!left || !operator || !right || !Object.hasOwn(language.tokens.logical, textOf(operator, place))) return null;
  return { left, right };
}

function hasOwnOperator(condition: SyntaxNode, place: SyntaxPlace): boolean {
  const { types, except } = place.language.selfNegating;
  if (!types.includes(condition.type)) return false;
  const operator = partsOf(condition, place.language.binaries)?.part('operator') ?? null;
  return operator === null || !except.includes(textOf(operator, place));
}

function negated(node: SyntaxNode, place: SyntaxPlace): SyntaxNode | null {
  const parts = partsOf(node, [place.language.negation]);
  const operator = parts?.part('operator') ?? null;
  return parts !== null && operator !== null && textOf(operator, place) === place.language.negation.token ? parts.part('argument') : null;
}
