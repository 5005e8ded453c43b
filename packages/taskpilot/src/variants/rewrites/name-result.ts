import { partsOf, typesOf } from '../../generator/languages/language.js';
import type { SyntaxPlace } from '../../generator/mutation-operator.js';
import { textOf } from '../../generator/place-text.js';
import { functionAround } from '../../generator/statements.js';
import type { SyntaxNode } from '../../generator/syntax-node.js';
import type { Rewrite } from '../rewrite.js';
import { freshName, isJavaScript, readsNames, withoutBrackets } from '../syntax-roles.js';

/** What a name would change: functions and classes are called by it, and a sequence is none there. */
const unnamed = ['arrow_function', 'function_expression', 'generator_function', 'class', 'sequence_expression', 'lambda'];
/** Values whose type does not depend on where they stand. */
const typed = ['identifier', 'binary_expression', 'member_expression', 'subscript_expression', 'unary_expression', 'this'];

/** `return e` as `const result = e; return result`, under a name that is free. In JavaScript, TypeScript and Python. */
export const nameResult: Rewrite = {
  name: 'name-result',
  nodeTypes: (language) => (isJavaScript(language) || language.name === 'python' ? typesOf(language.returns) : []),
  rewrites(place) {
    const { node, language } = place;
    const value = partsOf(node, language.returns)?.part('value') ?? null;
    const around = functionAround(node, language);
    if (value === null || around === null || !mayBeNamed(value, place) || readsNames(around, place)) return [];
    if (!['statement_block', 'block'].includes(node.parent?.type ?? '')) return [];
    const name = freshName('result', place);
    const declaration = `${isJavaScript(language) ? 'const ' : ''}${name} = ${textOf(value, place)}`;
    return [[{ start: node.start, end: value.end, text: `${declaration}; return ${name}` }]];
  },
};

function mayBeNamed(value: SyntaxNode, { language }: SyntaxPlace): boolean {
  const { type } = withoutBrackets(value, language);
  return language.name === 'typescript' || language.name === 'tsx' ? typed.includes(type) : !unnamed.includes(type);
}
