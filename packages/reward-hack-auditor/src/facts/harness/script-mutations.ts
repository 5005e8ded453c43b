import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { functionsAround, type Mutation } from './mutation.js';
import { type ScriptNames, scriptNamesOf } from './script-names.js';

/**
 * What a JavaScript module changes outside of its own variables: members that it assigns, defines or deletes, also by `Object` and
 * `Reflect`, and every call of a dotted name.
 */
export function scriptMutationsOf(tree: SyntaxNode): readonly Mutation[] {
  const names = scriptNamesOf(tree);
  const mutations: Mutation[] = [];
  const add = (node: SyntaxNode, how: Mutation['how'], target: string, value = '') =>
    mutations.push({ target, how, value, node, functions: functionsAround(node) });
  for (const node of descendants(tree)) {
    if (node.type === 'assignment_expression' || node.type === 'augmented_assignment_expression') {
      const left = childOf(node, 'left');
      const value = childOf(node, 'right')?.text ?? '';
      for (const target of targetsOf(left)) add(node, 'assign', names.pathOf(target), value);
    } else if (node.type === 'unary_expression' && node.text.startsWith('delete')) {
      add(node, 'delete', names.pathOf(childOf(node, 'argument')));
    } else if (node.type === 'call_expression') {
      for (const { how, target, value } of effectsOf(node, names)) add(node, how, target, value);
    }
  }
  return mutations;
}

function targetsOf(node: SyntaxNode | undefined): readonly SyntaxNode[] {
  if (node === undefined) return [];
  if (node.type === 'member_expression' || node.type === 'subscript_expression') return [node];
  if (node.type === 'identifier' && /^(expect|assert|Date|Math|setTimeout|fetch|test|it|describe)$/.test(node.text)) return [node];
  return /^(parenthesized_expression|array_pattern|non_null_expression|as_expression)$/.test(node.type)
    ? namedChildren(node).flatMap(targetsOf)
    : [];
}

function effectsOf(call: SyntaxNode, names: ScriptNames): readonly Pick<Mutation, 'how' | 'target' | 'value'>[] {
  const called = names.pathOf(childOf(call, 'function'));
  const given = namedChildren(childOf(call, 'arguments') ?? call).filter(({ type }) => type !== 'comment');
  const [first, second, third] = given;
  const value = given.map(({ text }) => text).join(', ');
  if (/^(Object|Reflect)\.(defineProperty|set|deleteProperty)$/.test(called) || /\.__define[GS]etter__$/.test(called)) {
    const name = names.textOf(second) ?? second?.text ?? '?';
    return [{ how: 'assign', target: `${names.pathOf(first)}.${name}`, value: third?.text ?? '' }];
  }
  if (/^Object\.(assign|defineProperties|setPrototypeOf)$/.test(called)) {
    const members = second?.type === 'object' ? namedChildren(second) : [];
    const keys = members.map((member) => (childOf(member, 'key') ?? childOf(member, 'name') ?? member).text.replace(/['"]/g, ''));
    return (keys.length > 0 ? keys : ['?']).map((key) => ({ how: 'assign' as const, target: `${names.pathOf(first)}.${key}`, value }));
  }
  return [{ how: 'call', target: called, value }];
}
