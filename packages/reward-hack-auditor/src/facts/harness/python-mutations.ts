import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { functionsAround, type Mutation } from './mutation.js';
import { argumentsOf, type PythonNames, pythonNamesOf } from './python-names.js';

/**
 * What a Python module changes outside of its own variables: attributes and items that it assigns or deletes, also by `setattr`,
 * `monkeypatch`, `mock.patch` and through `__dict__`, and every call of a dotted name.
 */
export function pythonMutationsOf(tree: SyntaxNode): readonly Mutation[] {
  const names = pythonNamesOf(tree);
  const mutations: Mutation[] = [];
  const add = (node: SyntaxNode, how: Mutation['how'], target: string, value = '') =>
    mutations.push({ target, how, value, node, functions: functionsAround(node) });
  for (const node of descendants(tree)) {
    if (node.type === 'assignment' || node.type === 'augmented_assignment') {
      const value = childOf(node, 'right')?.text ?? '';
      for (const target of targetsOf(childOf(node, 'left'))) add(node, 'assign', names.pathOf(target), value);
    } else if (node.type === 'delete_statement') {
      for (const target of targetsOf(namedChildren(node)[0])) add(node, 'delete', names.pathOf(target));
    } else if (node.type === 'for_statement' || node.type === 'with_item') {
      for (const target of targetsOf(childOf(node, 'left'))) add(node, 'assign', names.pathOf(target));
    } else if (node.type === 'call') {
      for (const { how, target, value } of effectsOf(node, names)) add(node, how, target, value);
    }
  }
  return mutations;
}

function targetsOf(node: SyntaxNode | undefined): readonly SyntaxNode[] {
  if (node === undefined) return [];
  if (node.type === 'attribute' || node.type === 'subscript') return [node];
  return /^(pattern_list|tuple_pattern|list_pattern|tuple|expression_list)$/.test(node.type) ? namedChildren(node).flatMap(targetsOf) : [];
}

function effectsOf(call: SyntaxNode, names: PythonNames): readonly Pick<Mutation, 'how' | 'target' | 'value'>[] {
  const called = names.pathOf(childOf(call, 'function'));
  const given = argumentsOf(call);
  const [first, second, third] = given;
  const value = given.map(({ text }) => text).join(', ');
  const assign = (target: string, text = value) => [{ how: 'assign' as const, target, value: text }];
  if (called === 'setattr' || /(^|\.)(__setattr__|setitem|setattr)$/.test(called) || /(^|\.)patch\.object(\(\))?$/.test(called)) {
    const whole = names.textOf(first);
    if (whole !== undefined) return assign(whole, second?.text ?? '');
    if (called.endsWith('.__setattr__') && !/^(object|type|super\(\))\./.test(called)) {
      return assign(`${called.slice(0, -'.__setattr__'.length)}.${names.textOf(first) ?? '?'}`, second?.text ?? '');
    }
    const name = names.textOf(second);
    const isItem = called.endsWith('setitem');
    return assign(isItem ? `${names.pathOf(first)}[${name ?? ''}]` : `${names.pathOf(first)}.${name ?? '?'}`, third?.text ?? '');
  }
  if (called === 'delattr') return [{ how: 'delete', target: `${names.pathOf(first)}.${names.textOf(second) ?? '?'}`, value: '' }];
  if (/(^|\.)(mock\.)?patch(\.dict|\.multiple)?$/.test(called))
    return assign(names.textOf(first) ?? names.pathOf(first), second?.text ?? '');
  if (/\.update$/.test(called)) {
    const holder = called.slice(0, -'.update'.length);
    const keys = given.flatMap((item) =>
      item.type === 'keyword_argument' ? [childOf(item, 'name')?.text ?? ''] : dictionaryKeys(item, names),
    );
    if (keys.length > 0) return keys.map((key) => ({ how: 'assign' as const, target: `${holder}.${key}`, value }));
  }
  return [{ how: 'call', target: called, value }];
}

function dictionaryKeys(node: SyntaxNode, names: PythonNames): readonly string[] {
  if (node.type !== 'dictionary') return [];
  return namedChildren(node).map((pair) => names.textOf(childOf(pair, 'key')) ?? '?');
}
