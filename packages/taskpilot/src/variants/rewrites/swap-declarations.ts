import { typesOf } from '../../generator/languages/language.js';
import type { SyntaxPlace } from '../../generator/mutation-operator.js';
import { exchangeNeighbours, textOf } from '../../generator/place-text.js';
import { functionAround } from '../../generator/statements.js';
import { closest, type SyntaxNode } from '../../generator/syntax-node.js';
import type { Rewrite } from '../rewrite.js';
import { isLiteral } from '../syntax-roles.js';

const declarations = [
  ...['lexical_declaration', 'variable_declaration', 'local_variable_declaration', 'let_declaration', 'short_var_declaration'],
  'expression_statement',
];

/** Exchanges two neighbouring declarations of one name each whose values are literals or empty collections. */
export const swapDeclarations: Rewrite = {
  name: 'swap-declarations',
  nodeTypes: ({ name }) => declarations.filter((type) => type !== 'expression_statement' || name === 'python'),
  rewrites(place) {
    const { node, language } = place;
    const { parent } = node;
    const owner = closest(node, ({ type }) => [...typesOf(language.functions), ...typesOf(language.classes)].includes(type));
    if (parent === null || !language.blocks.includes(parent.type) || owner !== functionAround(node, language)) return [];
    const siblings = parent.children.filter(({ isNamed }) => isNamed);
    const next = siblings[siblings.indexOf(node) + 1];
    if (next === undefined || !declarations.includes(next.type)) return [];
    const names = [declaredName(node, place), declaredName(next, place)];
    const ends = [node, next].map((statement) => textOf(statement, place).endsWith(';'));
    if (names.includes(null) || names[0] === names[1] || ends[0] !== ends[1]) return [];
    return exchangeNeighbours(node, next, place);
  },
};

/** The one name that a statement declares, unheard of in its function before, by a value whose evaluation nothing can notice. */
function declaredName(statement: SyntaxNode, place: SyntaxPlace): string | null {
  const inner = statement.children.filter(({ type }) => ['variable_declarator', 'assignment'].includes(type));
  const declarator = inner[0] ?? statement;
  const partOf = (fields: readonly string[]) => {
    const part = declarator.children.find(({ field }) => fields.includes(field ?? ''));
    return part?.type === 'expression_list' && part.children.length === 1 ? part.children[0] : part;
  };
  const [name, value] = [partOf(['name', 'left', 'pattern']), partOf(['value', 'right'])];
  if (inner.length > 1 || name?.type !== 'identifier' || value === undefined) return null;
  const isConstant = isLiteral(value) || ['[]', '{}'].includes(textOf(value, place));
  const word = textOf(name, place);
  const earlier = place.text.slice(functionAround(statement, place.language)?.start, statement.start);
  return isConstant && !earlier.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)?.includes(word) ? word : null;
}
