import { type Node, parseTree } from 'jsonc-parser';
import type { Setting } from './setting.js';

/** The values of a JSON text, comments and trailing commas allowed; what cannot be read is left out. */
export function readJsonSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  const read = (node: Node, key: string, place: Node): void => {
    const { children = [] } = node;
    if (node.type === 'object' && children.length > 0) {
      for (const property of children) {
        const [name, value] = property.children ?? [];
        if (name !== undefined && value !== undefined) read(value, key === '' ? name.value : `${key}.${name.value}`, property);
      }
    } else if (node.type === 'array' && children.length > 0) {
      for (const item of children) read(item, `${key}[]`, item);
    } else {
      const value = node.type === 'object' ? '{}' : node.type === 'array' ? '[]' : String(node.value);
      settings.push({ key, value, start: place.offset, end: place.offset + place.length });
    }
  };
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root !== undefined) read(root, '', root);
  return settings;
}
