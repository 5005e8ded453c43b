import type { Language } from '../../generator/languages/language.js';
import { replaceNode, textOf } from '../../generator/place-text.js';
import { functionAround } from '../../generator/statements.js';
import { closest, descendants, type SyntaxNode } from '../../generator/syntax-node.js';
import type { Rewrite } from '../rewrite.js';
import { freshName, isJavaScript, readsNames, withoutBrackets } from '../syntax-roles.js';

/** Code that has a name as a value: renaming what it is assigned to would rename it. */
const namedValues = ['arrow_function', 'function_expression', 'generator_function', 'class'];
/** Around a use in Python: what names something else than a local variable, or a variable of its own scope. */
const foreignPython = [
  ...['dotted_name', 'aliased_import', 'global_statement', 'nonlocal_statement', 'case_pattern', 'string', 'type_parameter'],
  ...['lambda', 'class_definition', 'list_comprehension', 'set_comprehension', 'dictionary_comprehension', 'generator_expression'],
];

/**
 * Gives a local variable another name, everywhere. In JavaScript, TypeScript and Python. Only where every occurrence of the
 * word in the function is a plain use of that variable, the first of them its declaration: no property, no text, no comment.
 */
export const renameLocal: Rewrite = {
  name: 'rename-local',
  nodeTypes(language) {
    if (isJavaScript(language)) return ['variable_declarator'];
    return language.name === 'python' ? ['assignment'] : [];
  },
  rewrites(place) {
    const { node, language } = place;
    const name = node.children.find(({ field }) => field === (isJavaScript(language) ? 'name' : 'left'));
    const around = functionAround(node, language);
    if (name?.type !== 'identifier' || around === null || readsNames(around, place)) return [];
    const word = textOf(name, place);
    const uses = [...descendants(around)].filter((use) => use.type === 'identifier' && textOf(use, place) === word);
    const words = textOf(around, place).match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
    if (uses[0] !== name || words.filter((other) => other === word).length !== uses.length) return [];
    const scope = isJavaScript(language) ? blockScope(node, around) : around;
    const isOwn = isJavaScript(language) ? isPlainUse(language) : isPlainPythonUse(around, language);
    if (!uses.every((use) => scope.start <= use.start && use.end <= scope.end && isOwn(use))) return [];
    const renamed = freshName(word, place);
    return [uses.map((use) => replaceNode(use, renamed))];
  },
};

/** Where a `let` or `const` is known; a `var` is known in its whole function. */
function blockScope(declarator: SyntaxNode, around: SyntaxNode): SyntaxNode {
  return declarator.parent?.type === 'lexical_declaration' ? (declarator.parent.parent ?? around) : around;
}

function isPlainUse(language: Language): (use: SyntaxNode) => boolean {
  return (use) => {
    const { parent, field } = use;
    if (parent === null || parent.type.startsWith('jsx_')) return false;
    if (field === 'name' && parent.type !== 'variable_declarator') return false;
    const value =
      field === 'name' || field === 'left' ? parent.children.find((child) => ['value', 'right'].includes(child.field ?? '')) : undefined;
    return value === undefined || !namedValues.includes(withoutBrackets(value, language).type);
  };
}

function isPlainPythonUse(around: SyntaxNode, language: Language): (use: SyntaxNode) => boolean {
  return (use) => {
    if (functionAround(use, language) !== around) return false;
    if (use.parent?.type === 'keyword_argument' && use.field === 'name') return false;
    if (use.parent?.type === 'attribute' && use.field === 'attribute') return false;
    const foreign = closest(use, ({ type }) => foreignPython.includes(type));
    return foreign === null || foreign.start < around.start;
  };
}
