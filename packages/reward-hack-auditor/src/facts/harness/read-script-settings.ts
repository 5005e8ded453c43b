import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import type { Setting } from './setting.js';

const deepest = 30;
/** Steps of reading one file: constants that name each other are followed so far. */
const mostSteps = 20_000;

/**
 * The values of a configuration that is a JavaScript or TypeScript module: every outermost object literal by its names, what is
 * assigned to or pushed into a member of something, and constants behind names. Values that are no literals stand as their source.
 */
export function readScriptSettings(tree: SyntaxNode): readonly Setting[] {
  const constants = constantsOf(tree);
  const settings: Setting[] = [];
  let steps = 0;
  const read = (node: SyntaxNode, key: string, place: SyntaxNode, depth: number): void => {
    steps += 1;
    if (depth > deepest || steps > mostSteps) return;
    const known = node.type === 'identifier' ? constants.get(node.text) : undefined;
    if (known !== undefined && known !== node) {
      read(known, key, place, depth + 1);
      return;
    }
    if (node.type === 'object') {
      readObject(node, key, depth + 1);
      return;
    }
    if (node.type === 'array' && namedChildren(node).length > 0) {
      for (const item of namedChildren(node))
        read(item.type === 'spread_element' ? (namedChildren(item)[0] ?? item) : item, `${key}[]`, item, depth + 1);
      return;
    }
    if (/^(as|satisfies|parenthesized)_expression$/.test(node.type)) {
      const inner = namedChildren(node)[0];
      if (inner !== undefined) {
        read(inner, key, place, depth + 1);
        return;
      }
    }
    settings.push({ key, value: literalText(node), start: place.start, end: place.end });
    if (/^(ternary|binary|call|await|new)_expression$/.test(node.type)) {
      for (const inner of outermostObjects(node)) readObject(inner, key, depth + 1);
    }
  };
  const readObject = (node: SyntaxNode, key: string, depth: number): void => {
    const members = namedChildren(node).filter(({ type }) => type !== 'comment');
    if (members.length === 0) settings.push({ key, value: '{}', start: node.start, end: node.end });
    for (const member of members) {
      const name = literalText(childOf(member, 'key') ?? childOf(member, 'name') ?? member);
      const path = key === '' ? name : `${key}.${name}`;
      const value = childOf(member, 'value');
      if (member.type === 'spread_element') read(namedChildren(member)[0] ?? member, key, member, depth + 1);
      else if (member.type === 'pair' && value !== undefined) read(value, path, member, depth + 1);
      else if (member.type === 'shorthand_property_identifier') read(constants.get(member.text) ?? member, path, member, depth + 1);
      else settings.push({ key: path, value: member.text, start: member.start, end: member.end });
    }
  };
  for (const node of outermostObjects(tree)) readObject(node, '', 0);
  for (const node of descendants(tree)) {
    const left = childOf(node, 'left');
    const right = childOf(node, 'right');
    if (/^(augmented_)?assignment_expression$/.test(node.type) && left?.type === 'member_expression' && right && right.type !== 'object') {
      read(right, left.text, node, 0);
    }
    const called = node.type === 'call_expression' ? childOf(node, 'function') : undefined;
    if (called?.type === 'member_expression' && /^(push|unshift|splice|concat)$/.test(childOf(called, 'property')?.text ?? '')) {
      const list = childOf(called, 'object')?.text ?? '';
      for (const item of namedChildren(childOf(node, 'arguments') ?? node)) read(item, `${list}[]`, node, 0);
    }
  }
  return settings;
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
