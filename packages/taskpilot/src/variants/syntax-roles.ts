import type { Language } from '../generator/languages/language.js';
import { partsOf } from '../generator/languages/language.js';
import type { SyntaxPlace } from '../generator/mutation-operator.js';
import { textOf } from '../generator/place-text.js';
import { descendants, type SyntaxNode } from '../generator/syntax-node.js';

const literalTypes = new Set([
  ...['number', 'string', 'true', 'false', 'null', 'undefined'],
  ...['integer', 'float', 'none'],
  ...['int_literal', 'float_literal', 'rune_literal', 'interpreted_string_literal', 'nil'],
  ...['decimal_integer_literal', 'decimal_floating_point_literal', 'character_literal', 'string_literal', 'null_literal'],
  ...['integer_literal', 'boolean_literal', 'char_literal'],
]);

/** JavaScript and what is erased to it. */
export function isJavaScript({ name }: Language): boolean {
  return name === 'javascript' || name === 'typescript' || name === 'tsx';
}

/** A literal of one value, signed or not; texts with expressions in them are none. */
export function isLiteral(node: SyntaxNode): boolean {
  if (node.type === 'unary_expression' || node.type === 'unary_operator') {
    const [sign, operand] = node.children;
    return sign?.type === '-' && operand !== undefined && isLiteral(operand);
  }
  return literalTypes.has(node.type) && ![...descendants(node)].some(({ type }) => type === 'interpolation');
}

/** The expression inside any number of brackets. */
export function withoutBrackets(node: SyntaxNode, language: Language): SyntaxNode {
  const isCode = ({ isNamed, type }: SyntaxNode) => isNamed && !language.comments.includes(type);
  const inner = language.brackets.includes(node.type) ? node.children.find(isCode) : undefined;
  return inner === undefined ? node : withoutBrackets(inner, language);
}

/** Left side, operator token and right side of a binary expression; of a chain of comparisons, nothing. */
export function sidesOf(node: SyntaxNode, place: SyntaxPlace): { left: SyntaxNode; operator: string; right: SyntaxNode } | null {
  const parts = partsOf(node, place.language.binaries);
  const [left, operator, right] = (['left', 'operator', 'right'] as const).map((name) => parts?.part(name) ?? null);
  const isChain = node.children.filter(({ isNamed }) => isNamed).length > 2;
  return !left || !operator || !right || isChain ? null : { left, operator: textOf(operator, place), right };
}

const comparisons = ['<', '>', '<=', '>=', '==', '!=', '===', '!=='];

/** A comparison of a comparison: the grammar of TypeScript takes `a < b < c` for `a < (b < c)`, so that nothing is known about it. */
export function isNestedComparison(place: SyntaxPlace): boolean {
  const { node } = place;
  const compares = (at: SyntaxNode | null) => at !== null && comparisons.includes(sidesOf(at, place)?.operator ?? '');
  return compares(node) && (compares(node.parent) || node.children.some(compares));
}

/** A name that stands nowhere in the file: `base` or `base` with a number. */
export function freshName(base: string, place: SyntaxPlace): string {
  const words = new Set(place.text.match(/[\p{L}\p{N}_$]+/gu));
  let name = base;
  for (let number = 2; words.has(name); number++) name = `${base}${number}`;
  return name;
}

const nameReaders: Readonly<Partial<Record<Language['name'], RegExp>>> = {
  python: /\b(eval|exec|locals|vars|dir|globals|compile|inspect|_getframe|settrace)\b/,
};

/** Whether code may see the names of local variables other than by using them. */
export function readsNames(node: SyntaxNode, place: SyntaxPlace): boolean {
  return (nameReaders[place.language.name] ?? /\b(eval|with|arguments|Function)\b/).test(textOf(node, place));
}
