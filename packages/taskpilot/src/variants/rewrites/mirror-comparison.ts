import { type Language, typesOf } from '../../generator/languages/language.js';
import type { SyntaxPlace } from '../../generator/mutation-operator.js';
import { textOf } from '../../generator/place-text.js';
import { statementAround } from '../../generator/statements.js';
import type { SyntaxNode } from '../../generator/syntax-node.js';
import type { Rewrite } from '../rewrite.js';
import { isJavaScript, isLiteral, isNestedComparison, sidesOf } from '../syntax-roles.js';

const mirrored: Readonly<Record<string, string>> = {
  ...{ '<': '>', '>': '<', '<=': '>=', '>=': '<=' },
  ...{ '==': '==', '!=': '!=', '===': '===', '!==': '!==' },
};

/**
 * `a < b` as `b > a`, where no side effect of one side can be seen by the other. In JavaScript `<` converts objects, left
 * side first, so that one side must be a literal. Not in Python and Rust, where the operators are methods of the left side.
 */
export const mirrorComparison: Rewrite = {
  name: 'mirror-comparison',
  nodeTypes: (language) => (isJavaScript(language) || ['go', 'java'].includes(language.name) ? typesOf(language.binaries) : []),
  rewrites(place) {
    const { node, language, text } = place;
    const sides = sidesOf(node, place);
    const token = sides === null ? undefined : mirrored[sides.operator];
    if (sides === null || token === undefined || isNestedComparison(place) || !isIndependent(sides, place)) return [];
    const statement = statementAround(node, language);
    // `f(a < b, c > (d))` would be a call with type arguments
    if (token === '<' && text.slice(node.end, statement.end).includes('>')) return [];
    // a statement must not begin with what continues the line before
    if (node.start === statement.start) return [];
    const { left, operator, right } = sides;
    const between = text.slice(left.end, right.start).replace(operator, token);
    return [[{ start: node.start, end: node.end, text: `${textOf(right, place)}${between}${textOf(left, place)}` }]];
  },
};

function isIndependent({ left, operator, right }: { left: SyntaxNode; operator: string; right: SyntaxNode }, place: SyntaxPlace): boolean {
  const { language } = place;
  const isConverted = isJavaScript(language) && !operator.includes('==') && !operator.includes('!=');
  const sides = [left, right];
  if (sides.every((side) => language.identifiers.includes(side.type))) return !isConverted;
  return sides.some(isLiteral) && sides.every((side) => isLiteral(side) || isTight(side, language));
}

/** Binds tighter than a comparison on either side of it, and cannot be taken for something else at its start. */
function isTight(node: SyntaxNode, language: Language): boolean {
  if (node.type === 'unary_expression') {
    const [operator, operand] = node.children;
    return operator?.type === 'typeof' && operand !== undefined && isTight(operand, language);
  }
  const innermost = (at: SyntaxNode): SyntaxNode => (at.children[0] === undefined ? at : innermost(at.children[0]));
  return language.atoms.includes(node.type) && [...language.identifiers, 'this'].includes(innermost(node).type);
}
