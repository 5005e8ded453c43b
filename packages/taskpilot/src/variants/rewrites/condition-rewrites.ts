import { partsOf, typesOf } from '../../generator/languages/language.js';
import type { Replacement, SyntaxPlace } from '../../generator/mutation-operator.js';
import { exchangeNodes, replaceNode, startsLine, textOf } from '../../generator/place-text.js';
import { descendants, type SyntaxNode } from '../../generator/syntax-node.js';
import type { Rewrite } from '../rewrite.js';
import { isLiteral, sidesOf, withoutBrackets } from '../syntax-roles.js';

const loopConditions = ['while_statement', 'do_statement', 'while_expression'].map((type) => ({ type, condition: 'condition' }));
const bindingTests = ['let_condition', 'let_chain', 'instanceof_expression'];

/** Negates the condition of an `if` and exchanges what it and its `else` do. Not in Rust, where the first block decides the type. */
export const swapIfElse: Rewrite = {
  name: 'swap-if-else',
  nodeTypes: (language) => (language.name === 'rust' ? [] : typesOf(language.ifs)),
  rewrites(place) {
    const { node, language, text } = place;
    const condition = conditionOf(node, place);
    const consequence = partsOf(node, language.ifs)?.part('consequence') ?? null;
    const clause = partsOf(node, language.ifs)?.part('alternative') ?? null;
    if (condition === null || consequence === null || clause === null) return [];
    if (node.children.filter(({ field }) => field === 'alternative').length !== 1) return [];
    const alternative = partsOf(clause, language.elseClauses)?.part('body') ?? clause;
    const blocks = [consequence, alternative];
    if (!blocks.every((block) => language.blocks.includes(block.type)) || hasComment(node, place)) return [];
    if (language.needsStatement === true && !blocks.every(({ start }) => startsLine(start, text))) return [];
    if (blocks.some(({ children }) => children.some(({ type }) => type.includes('function') && type.endsWith('declaration')))) return [];
    return [[negation(condition, place), ...exchangeNodes(consequence, alternative, place)]];
  },
};

/** `c` as `!(!(c))` where only its truth is asked for. */
export const doubleNegation: Rewrite = {
  name: 'double-negation',
  nodeTypes: (language) => typesOf([...language.conditions, ...loopConditions]),
  rewrites(place) {
    const condition = conditionOf(place.node, place);
    if (condition === null) return [];
    const { prefix } = place.language.negation;
    return [[replaceNode(condition, `${prefix}(${prefix}(${textOf(condition, place)}))`)]];
  },
};

/** `a && b` as `!(!(a) || !(b))` where only its truth is asked for; the sides are evaluated in the same order, and as often. */
export const deMorgan: Rewrite = {
  name: 'de-morgan',
  nodeTypes: (language) => typesOf(language.binaries),
  rewrites(place) {
    const { node, language } = place;
    const sides = sidesOf(node, place);
    const other = sides === null ? undefined : language.tokens.logical[sides.operator]?.[0];
    if (sides === null || other === undefined || !isTested(node, place) || bindsNames(node)) return [];
    const { prefix } = language.negation;
    const [left, right] = [sides.left, sides.right].map((side) => `${prefix}(${textOf(side, place)})`);
    return [[replaceNode(node, `${prefix}(${left} ${other} ${right})`)]];
  },
};

/** What a node tests, out of its brackets; `null` where it tests nothing, a constant, or binds names by testing. */
function conditionOf(node: SyntaxNode, { language }: SyntaxPlace): SyntaxNode | null {
  const condition = partsOf(node, [...language.conditions, ...loopConditions])?.part('condition') ?? null;
  const inner = condition === null ? null : withoutBrackets(condition, language);
  return inner === null || isLiteral(inner) || bindsNames(inner) ? null : inner;
}

/** Whether nothing but the truth of a node's value is used. */
function isTested(node: SyntaxNode, place: SyntaxPlace): boolean {
  const { language } = place;
  const { parent } = node;
  if (parent === null) return false;
  if (partsOf(parent, [...language.conditions, ...loopConditions])?.part('condition') === node) return true;
  const negated = partsOf(parent, [language.negation]);
  const operator = negated?.part('operator') ?? null;
  if (operator !== null && textOf(operator, place) === language.negation.token) return true;
  const isLogical = Object.hasOwn(language.tokens.logical, sidesOf(parent, place)?.operator ?? '');
  return (isLogical || language.brackets.includes(parent.type)) && isTested(parent, place);
}

function negation(condition: SyntaxNode, place: SyntaxPlace): Replacement {
  return replaceNode(condition, `${place.language.negation.prefix}(${textOf(condition, place)})`);
}

function bindsNames(node: SyntaxNode): boolean {
  return [...descendants(node)].some(({ type }) => bindingTests.includes(type));
}

function hasComment(node: SyntaxNode, { language }: SyntaxPlace): boolean {
  return [...descendants(node)].some(({ type }) => language.comments.includes(type));
}
