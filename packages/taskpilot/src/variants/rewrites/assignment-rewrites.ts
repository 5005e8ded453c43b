import { type Language, partsOf, typesOf } from '../../generator/languages/language.js';
import type { SyntaxPlace } from '../../generator/mutation-operator.js';
import { textOf } from '../../generator/place-text.js';
import type { SyntaxNode } from '../../generator/syntax-node.js';
import type { Rewrite } from '../rewrite.js';
import { isJavaScript, isLiteral, sidesOf } from '../syntax-roles.js';

const operators = ['+', '-', '*', '/', '%', '**', '&', '|', '^', '<<', '>>', '>>>'];

/** `x += y` as `x = x + y`, for names. Not in Python and Rust, where they are different methods; in Java it drops a cast. */
export const expandAssignment: Rewrite = {
  name: 'expand-assignment',
  nodeTypes: (language) => (isJavaScript(language) || language.name === 'go' ? typesOf(language.compoundAssignments) : []),
  rewrites(place) {
    const { node, language } = place;
    const parts = partsOf(node, language.compoundAssignments);
    const [left, token, value] = (['left', 'operator', 'right'] as const).map((name) => only(parts?.part(name) ?? null));
    if (!left || !token || !value || !isNamed(left, language) || !isWholeStatement(place)) return [];
    const operator = textOf(token, place).slice(0, -1);
    if (!operators.includes(operator)) return [];
    const right = textOf(value, place);
    const operand = language.atoms.includes(value.type) || isLiteral(value) ? right : `(${right})`;
    const name = textOf(left, place);
    return [[{ start: node.start, end: value.end, text: `${name} = ${name} ${operator} ${operand}` }]];
  },
};

/** `x = x + y` as `x += y`, for names. */
export const contractAssignment: Rewrite = {
  name: 'contract-assignment',
  nodeTypes: (language) => (isJavaScript(language) || ['go', 'java'].includes(language.name) ? typesOf(language.assignments) : []),
  rewrites(place) {
    const { node, language } = place;
    const parts = partsOf(node, language.assignments);
    const [target, value] = [only(parts?.part('target') ?? null), only(parts?.part('value') ?? null)];
    if (!target || !value || !isNamed(target, language) || !isWholeStatement(place)) return [];
    const sides = sidesOf(value, place);
    const isPlain = node.children.some(({ type }) => type === '=');
    if (sides === null || !isPlain || !operators.includes(sides.operator)) return [];
    const name = textOf(target, place);
    if (textOf(sides.left, place) !== name) return [];
    return [[{ start: node.start, end: value.end, text: `${name} ${sides.operator}= ${textOf(sides.right, place)}` }]];
  },
};

/** The one expression of a list; any other node itself. */
function only(node: SyntaxNode | null): SyntaxNode | null {
  if (node?.type !== 'expression_list') return node;
  return node.children.length === 1 ? (node.children[0] ?? null) : null;
}

function isNamed(node: SyntaxNode, language: Language): boolean {
  return language.identifiers.includes(node.type);
}

/** Whether the value of an assignment is used by nothing. */
function isWholeStatement({ node, language }: SyntaxPlace): boolean {
  const holders = [...language.expressionStatements, ...language.blocks];
  return holders.includes(node.parent?.type ?? '');
}
