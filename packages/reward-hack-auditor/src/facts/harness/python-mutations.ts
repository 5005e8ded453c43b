import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { functionsAround, type Mutation } from './mutation.js';
import { argumentsOf, type PythonNames, pythonNamesOf } from './python-names.js';

type Effect = Pick<Mutation, 'how' | 'target' | 'value'>;

/**
 * What a Python module changes outside of its own variables: attributes and items that it assigns or deletes, also by `setattr`,
 * `monkeypatch`, `mock.patch` and through `__dict__`, and every call of a dotted name.
 */
export function pythonMutationsOf(tree: SyntaxNode): readonly Mutation[] {
  const names = pythonNamesOf(tree);
  const mutations: Mutation[] = [];
  for (const node of descendants(tree)) {
    for (const { target, how, value } of effectsOf(node, names))
      mutations.push({ target, how, value, node, functions: functionsAround(node) });
  }
  return mutations;
}

function effectsOf(node: SyntaxNode, names: PythonNames): readonly Effect[] {
  const changes = (changed: SyntaxNode | undefined, how: 'assign' | 'delete', value = '') =>
    targetsOf(changed).map((target): Effect => ({ how, target: names.pathOf(target), value }));
  switch (node.type) {
    case 'assignment':
    case 'augmented_assignment':
      return changes(childOf(node, 'left'), 'assign', childOf(node, 'right')?.text);
    case 'for_statement':
    case 'with_item':
      return changes(childOf(node, 'left'), 'assign');
    case 'delete_statement':
      return changes(namedChildren(node)[0], 'delete');
    case 'call':
      return effectsOfCall(node, names);
    default:
      return [];
  }
}

function targetsOf(node: SyntaxNode | undefined): readonly SyntaxNode[] {
  if (node === undefined) return [];
  if (node.type === 'attribute' || node.type === 'subscript') return [node];
  return /^(pattern_list|tuple_pattern|list_pattern|tuple|expression_list)$/.test(node.type) ? namedChildren(node).flatMap(targetsOf) : [];
}

function effectsOfCall(call: SyntaxNode, names: PythonNames): readonly Effect[] {
  const called = names.pathOf(childOf(call, 'function'));
  const given = argumentsOf(call);
  const [first, second] = given;
  const value = given.map(({ text }) => text).join(', ');
  if (called === 'setattr' || /(^|\.)(__setattr__|setitem|setattr)$/.test(called) || /(^|\.)patch\.object(\(\))?$/.test(called))
    return [attributeSetBy({ called, given, names })];
  if (called === 'delattr') return [{ how: 'delete', target: `${names.pathOf(first)}.${names.textOf(second) ?? '?'}`, value: '' }];
  if (/(^|\.)(mock\.)?patch(\.dict|\.multiple)?$/.test(called))
    return [{ how: 'assign', target: names.textOf(first) ?? names.pathOf(first), value: second?.text ?? '' }];
  const updated = /\.update$/.test(called) ? given.flatMap((item) => keysOf(item, names)) : [];
  const holder = called.slice(0, -'.update'.length);
  return updated.length > 0
    ? updated.map((key): Effect => ({ how: 'assign', target: `${holder}.${key}`, value }))
    : [{ how: 'call', target: called, value }];
}

/** What `setattr`, `setitem`, `patch.object` and their relatives assign: a path in one text, or a holder and a name. */
function attributeSetBy(options: { called: string; given: readonly SyntaxNode[]; names: PythonNames }): Effect {
  const { called, names } = options;
  const [first, second, third] = options.given;
  const whole = names.textOf(first);
  if (whole !== undefined) return { how: 'assign', target: whole, value: second?.text ?? '' };
  if (called.endsWith('.__setattr__') && !/^(object|type|super\(\))\./.test(called))
    return { how: 'assign', target: `${called.slice(0, -'.__setattr__'.length)}.?`, value: second?.text ?? '' };
  const [holder, name] = [names.pathOf(first), names.textOf(second)];
  const target = called.endsWith('setitem') ? `${holder}[${name ?? ''}]` : `${holder}.${name ?? '?'}`;
  return { how: 'assign', target, value: third?.text ?? '' };
}

function keysOf(argument: SyntaxNode, names: PythonNames): readonly string[] {
  return argument.type === 'keyword_argument' ? [childOf(argument, 'name')?.text ?? ''] : dictionaryKeys(argument, names);
}

function dictionaryKeys(node: SyntaxNode, names: PythonNames): readonly string[] {
  if (node.type !== 'dictionary') return [];
  return namedChildren(node).map((pair) => names.textOf(childOf(pair, 'key')) ?? '?');
}
