import { isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import type { Setting } from './setting.js';

const deepest = 60;

/** The values of a YAML text, of all its documents; aliases are not followed. */
export function readYamlSettings(text: string): readonly Setting[] {
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  return Array.isArray(documents) ? documents.flatMap(({ contents }) => [...settingsIn({ node: contents, key: '', depth: 0 })]) : [];
}

function* settingsIn(options: { node: unknown; key: string; depth: number }): Generator<Setting> {
  const { node, key, depth } = options;
  if (depth > deepest) return;
  if (isMap(node)) {
    for (const { key: name, value } of node.items) {
      const title = isScalar(name) ? String(name.value) : '';
      yield* settingsIn({ node: value, key: key === '' ? title : `${key}.${title}`, depth: depth + 1 });
    }
  } else if (isSeq(node)) {
    for (const item of node.items) yield* settingsIn({ node: item, key: `${key}[]`, depth: depth + 1 });
  } else if (isScalar(node)) {
    const [start = 0, end = 0] = node.range ?? [];
    yield { key, value: String(node.value), start, end };
  }
}
