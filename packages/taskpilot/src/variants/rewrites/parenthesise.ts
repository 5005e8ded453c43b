import { partsOf, typesOf } from '../../generator/languages/language.js';
import type { SyntaxPlace } from '../../generator/mutation-operator.js';
import { replaceNode, textOf } from '../../generator/place-text.js';
import { statementAround } from '../../generator/statements.js';
import type { SyntaxNode } from '../../generator/syntax-node.js';
import type { Rewrite } from '../rewrite.js';
import { isNestedComparison } from '../syntax-roles.js';

/** Puts brackets around a side of an operator, an argument, or what is assigned or returned. */
export const parenthesise: Rewrite = {
  name: 'parenthesise',
  nodeTypes: (language) => [...typesOf(language.binaries), ...typesOf(language.conditionals), ...language.atoms],
  rewrites(place) {
    return mayTakeBrackets(place) ? [[replaceNode(place.node, `(${textOf(place.node, place)})`)]] : [];
  },
};

function mayTakeBrackets(place: SyntaxPlace): boolean {
  const { node, language } = place;
  const { parent } = node;
  // a statement that begins with a bracket may continue the line before
  if (parent === null || node.start === statementAround(node, language).start || isNestedComparison(place)) return false;
  const isBinary = typesOf(language.binaries).includes(node.type);
  if (isBinary && partsOf(parent, language.binaries) !== null) return true;
  // the compiler of Rust warns about brackets around a whole value, and a crate may forbid warnings
  if (language.name === 'rust') return false;
  const isArgument = language.argumentLists.includes(parent.type);
  // a call may return several values in Go
  if (language.name === 'go') return isBinary && isArgument;
  // loaders read the names that a module exports off its text
  if (/\b(exports|require)\b/.test(textOf(parent, place))) return false;
  return isArgument || isAssigned(node, parent) || partsOf(parent, language.returns)?.part('value') === node;
}

/** What stands right of the `=` of an assignment or of a declaration. */
function isAssigned(node: SyntaxNode, parent: SyntaxNode): boolean {
  const isValue = node.field === 'right' || node.field === 'value';
  return isValue && ['assignment_expression', 'variable_declarator', 'assignment'].includes(parent.type);
}
