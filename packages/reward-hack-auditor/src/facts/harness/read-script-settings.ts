import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import type { Setting } from './setting.js';

const deepest = 30;
/** Steps of reading one file: constants that name each other are followed so far. */
const mostSteps = 20_000;

const wrapper = /^(as|satisfies|parenthesized)_expression$/;
const mayHoldObjects = /^(ternary|binary|call|await|new)_expression$/;

/** What a reading of one file knows and has found so far. */
interface Reading {
  readonly constants: ReadonlyMap<string, SyntaxNode>;
  readonly settings: Setting[];
  steps: number;
}

/** A value, the key that it has, and the place that is cited for it. */
interface KeyedValue {
  readonly node: SyntaxNode;
  readonly key: string;
  readonly place: SyntaxNode;
  readonly depth: number;
}

/**
 * The values of a configuration that is a JavaScript or TypeScript module: every outermost object literal by its names, what is
 * assigned to or pushed into a member of something, and constants behind names. Values that are no literals stand as their source.
 */
export function readScriptSettings(tree: SyntaxNode): readonly Setting[] {
  const reading: Reading = { constants: constantsOf(tree), settings: [], steps: 0 };
  for (const node of outermostObjects(tree)) readObject(reading, { node, key: '', place: node, depth: 0 });
  for (const node of descendants(tree)) {
    readAssignment(reading, node);
    readAdditions(reading, node);
  }
  return reading.settings;
}

function readValue(reading: Reading, { node, key, place, depth }: KeyedValue): void {
  reading.steps += 1;
  if (depth > deepest || reading.steps > mostSteps) return;
  const inner = behind(reading, node);
  if (inner !== undefined) readValue(reading, { node: inner, key, place, depth: depth + 1 });
  else if (node.type === 'object') readObject(reading, { node, key, place, depth: depth + 1 });
  else if (node.type === 'array' && namedChildren(node).length > 0) {
    for (const item of namedChildren(node)) readValue(reading, { node: spreadOf(item), key: `${key}[]`, place: item, depth: depth + 1 });
  } else {
    reading.settings.push({ key, value: literalText(node), start: place.start, end: place.end });
    const objects = mayHoldObjects.test(node.type) ? outermostObjects(node) : [];
    for (const object of objects) readObject(reading, { node: object, key, place, depth: depth + 1 });
  }
}

/** The value that a name or a wrapped expression stands for. */
function behind({ constants }: Reading, node: SyntaxNode): SyntaxNode | undefined {
  if (wrapper.test(node.type)) return namedChildren(node)[0];
  const known = node.type === 'identifier' ? constants.get(node.text) : undefined;
  return known === node ? undefined : known;
}

function readObject(reading: Reading, { node, key, depth }: KeyedValue): void {
  const members = namedChildren(node).filter(({ type }) => type !== 'comment');
  if (members.length === 0) reading.settings.push({ key, value: '{}', start: node.start, end: node.end });
  for (const member of members) readMember(reading, { node: member, key, place: member, depth: depth + 1 });
}

function readMember(reading: Reading, { node: member, key, place, depth }: KeyedValue): void {
  const name = literalText(childOf(member, 'key') ?? childOf(member, 'name') ?? member);
  const path = key === '' ? name : `${key}.${name}`;
  const value = childOf(member, 'value');
  if (member.type === 'spread_element') readValue(reading, { node: spreadOf(member), key, place, depth });
  else if (member.type === 'pair' && value !== undefined) readValue(reading, { node: value, key: path, place, depth });
  else if (member.type === 'shorthand_property_identifier')
    readValue(reading, { node: reading.constants.get(member.text) ?? member, key: path, place, depth });
  else reading.settings.push({ key: path, value: member.text, start: member.start, end: member.end });
}

function spreadOf(item: SyntaxNode): SyntaxNode {
  return item.type === 'spread_element' ? (namedChildren(item)[0] ?? item) : item;
}

/** `configuration.test.retry = 3`; object literals are read as outermost objects. */
function readAssignment(reading: Reading, node: SyntaxNode): void {
  if (!/^(augmented_)?assignment_expression$/.test(node.type)) return;
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  if (left?.type !== 'member_expression' || right === undefined || right.type === 'object') return;
  readValue(reading, { node: right, key: left.text, place: node, depth: 0 });
}

/** `configuration.test.exclude.push('…')`. */
function readAdditions(reading: Reading, node: SyntaxNode): void {
  const called = node.type === 'call_expression' ? childOf(node, 'function') : undefined;
  if (called?.type !== 'member_expression' || !/^(push|unshift|splice|concat)$/.test(childOf(called, 'property')?.text ?? '')) return;
  const list = childOf(called, 'object')?.text ?? '';
  for (const item of namedChildren(childOf(node, 'arguments') ?? node))
    readValue(reading, { node: item, key: `${list}[]`, place: node, depth: 0 });
}

function* outermostObjects(tree: SyntaxNode): Generator<SyntaxNode> {
  const open: SyntaxNode[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'object') yield node;
    else for (let index = node.children.length - 1; index >= 0; index -= 1) open.push(node.children[index] as SyntaxNode);
  }
}

/** First values of the names that a module declares. */
function constantsOf(tree: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  const constants = new Map<string, SyntaxNode>();
  for (const node of descendants(tree)) {
    if (node.type !== 'variable_declarator') continue;
    const name = childOf(node, 'name');
    const value = childOf(node, 'value');
    if (name?.type === 'identifier' && value !== undefined && !constants.has(name.text)) constants.set(name.text, value);
  }
  return constants;
}

/** A literal's content; of anything else the source. */
function literalText(node: SyntaxNode): string {
  if (node.type === 'string' || (node.type === 'template_string' && !node.text.includes('${'))) return node.text.slice(1, -1);
  if (node.type === 'computed_property_name') return node.text.replace(/['"`\s+[\]]/g, '');
  return node.text;
}
