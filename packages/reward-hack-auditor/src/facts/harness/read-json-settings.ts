import { type Node, parseTree } from 'jsonc-parser';
import type { Setting } from './setting.js';

/** The values of a JSON text, comments and trailing commas allowed; what cannot be read is left out. */
export function readJsonSettings(text: string): readonly Setting[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root === undefined ? [] : [...settingsIn({ node: root, key: '', place: root })];
}

function* settingsIn(options: { node: Node; key: string; place: Node }): Generator<Setting> {
  const { node, key, place } = options;
  const { children = [] } = node;
  if (node.type === 'object' && children.length > 0) {
    for (const property of children) {
      const [name, value] = property.children ?? [];
      if (name === undefined || value === undefined) continue;
      yield* settingsIn({ node: value, key: key === '' ? name.value : `${key}.${name.value}`, place: property });
    }
  } else if (node.type === 'array' && children.length > 0) {
    for (const item of children) yield* settingsIn({ node: item, key: `${key}[]`, place: item });
  } else {
    yield { key, value: writtenValue(node), start: place.offset, end: place.offset + place.length };
  }
}

function writtenValue(node: Node): string {
  if (node.type === 'object') return '{}';
  return node.type === 'array' ? '[]' : String(node.value);
}
