import { isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import type { Setting } from './setting.js';

/** The values of a YAML text, of all its documents; aliases are not followed. */
export function readYamlSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  const read = (node: unknown, key: string, depth: number): void => {
    if (depth > 60) return;
    if (isMap(node)) {
      for (const { key: name, value } of node.items) {
        const title = isScalar(name) ? String(name.value) : '';
        read(value, key === '' ? title : `${key}.${title}`, depth + 1);
      }
    } else if (isSeq(node)) {
      for (const item of node.items) read(item, `${key}[]`, depth + 1);
    } else if (isScalar(node)) {
      const [start = 0, end = 0] = node.range ?? [];
      settings.push({ key, value: String(node.value), start, end });
    }
  };
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  if (Array.isArray(documents)) for (const { contents } of documents) read(contents, '', 0);
  return settings;
}
