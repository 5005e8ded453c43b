import { parse } from 'smol-toml';
import { readIniSettings } from './read-ini-settings.js';
import type { Setting } from './setting.js';

/** The values of a TOML text. A text that is no TOML is read line by line, as the runner that is told so might. */
export function readTomlSettings(text: string): readonly Setting[] {
  const table = parsed(text);
  if (table === undefined) return readIniSettings(text);
  return [...valuesIn(table, '')].map(({ key, value }) => ({ key, value, ...placeOf({ text, key, value }) }));
}

function* valuesIn(value: unknown, key: string): Generator<{ key: string; value: string }> {
  if (Array.isArray(value)) {
    if (value.length === 0) yield { key, value: '[]' };
    for (const item of value) yield* valuesIn(item, `${key}[]`);
  } else if (isTable(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) yield { key, value: '{}' };
    for (const [name, inner] of entries) yield* valuesIn(inner, key === '' ? name : `${key}.${name}`);
  } else {
    yield { key, value: String(value) };
  }
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The line on which a value stands: the parser gives no places, so its table, its name and its text are looked for in turn. */
function placeOf(options: { text: string; key: string; value: string }): { start: number; end: number } {
  const { text, key, value } = options;
  const names = key.replaceAll('[]', '').split('.');
  const name = names.at(-1) ?? '';
  const table = names.slice(0, -1).join('.');
  const header = table === '' ? 0 : Math.max(0, text.indexOf(`[${table}`));
  const named = Math.max(header, text.indexOf(name, header));
  const first = value.split('\n')[0] ?? '';
  const at = key.endsWith('[]') && first !== '' ? Math.max(named, text.indexOf(first, named)) : named;
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', Math.max(at, start));
  return { start, end: end < 0 ? text.length : end };
}
