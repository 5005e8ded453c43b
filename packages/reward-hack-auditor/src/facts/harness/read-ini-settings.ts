import { linesOf } from './lines-of.js';
import type { Setting } from './setting.js';

/**
 * The values of an ini file as Python's configparser reads it: sections, `name = value` or `name: value`, further lines of a value
 * indented. Also reads what stands before any section, which makes it a reader of `.npmrc` and `.env` files.
 */
export function readIniSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  let section = '';
  let isOpen = false;
  for (const { line, start } of linesOf(text)) {
    const trimmed = line.trim();
    if (trimmed === '' || /^[#;]/.test(trimmed)) continue;
    const last = settings.at(-1);
    if (isOpen && last !== undefined && /^\s/.test(line)) {
      settings[settings.length - 1] = continued(last, { more: trimmed, end: start + line.length });
      continue;
    }
    const header = /^\[([^\]]+)\]/.exec(trimmed);
    const entry = header === null ? /^(?:export\s+)?([^=:\s[][^=:]*)[=:](.*)$/.exec(trimmed) : null;
    isOpen = entry !== null;
    if (header !== null) section = (header[1] ?? '').trim();
    if (entry === null) continue;
    const name = (entry[1] ?? '').trim();
    const key = section === '' ? name : `${section}.${name}`;
    settings.push({ key, value: unquoted((entry[2] ?? '').trim()), start: start + line.indexOf(trimmed), end: start + line.length });
  }
  return settings;
}

function continued(setting: Setting, line: { more: string; end: number }): Setting {
  return { ...setting, value: setting.value === '' ? line.more : `${setting.value}\n${line.more}`, end: line.end };
}

function unquoted(text: string): string {
  const quote = text[0];
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text;
}
