import type { Setting } from './setting.js';

/**
 * The values of an ini file as Python's configparser reads it: sections, `name = value` or `name: value`, further lines of a value
 * indented. Also reads what stands before any section, which makes it a reader of `.npmrc` and `.env` files.
 */
export function readIniSettings(text: string): readonly Setting[] {
  const settings: (Setting & { value: string; end: number })[] = [];
  let section = '';
  let isOpen = false;
  for (const { line, start } of linesOf(text)) {
    const trimmed = line.trim();
    if (trimmed === '' || /^[#;]/.test(trimmed)) continue;
    const last = settings.at(-1);
    if (isOpen && last !== undefined && /^\s/.test(line)) {
      last.value = last.value === '' ? trimmed : `${last.value}\n${trimmed}`;
      last.end = start + line.length;
      continue;
    }
    const header = /^\[([^\]]+)\]/.exec(trimmed);
    const entry = /^(?:export\s+)?([^=:\s[][^=:]*)[=:](.*)$/.exec(trimmed);
    isOpen = header === null && entry !== null;
    if (header !== null) section = (header[1] ?? '').trim();
    else if (entry !== null) {
      const name = (entry[1] ?? '').trim();
      const key = section === '' ? name : `${section}.${name}`;
      settings.push({ key, value: unquoted((entry[2] ?? '').trim()), start: start + line.indexOf(trimmed), end: start + line.length });
    }
  }
  return settings;
}

/**
 * The rules of a Makefile or justfile: `make.TARGET[]` for each line of a recipe with its prefixes, `make.TARGET.needs[]` for what is
 * made first, `make.$NAME` for a variable. Lines that end with a backslash are one.
 */
export function readMakefileSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  let targets: readonly string[] = [];
  for (const { line, start } of linesOf(text.replace(/\\\n/g, '  '))) {
    const place = { start, end: start + line.length };
    if (/^(\t| {2,})\S/.test(line)) {
      for (const target of targets) settings.push({ key: `make.${target}[]`, value: line.trim(), ...place });
      continue;
    }
    const variable = /^(?:export\s+|override\s+)*([\w.-]+)\s*(?:::|[:?+!])?=\s*(.*)$/.exec(line);
    const rule = /^([^#:=\t][^:=#]*)::?(?!=)([^#;]*)(?:;(.*))?$/.exec(line);
    if (variable !== null) {
      targets = [];
      settings.push({ key: `make.$${variable[1]}`, value: (variable[2] ?? '').trim(), ...place });
    } else if (rule !== null) {
      targets = (rule[1] ?? '').trim().split(/\s+/);
      for (const target of targets) {
        if ((rule[2] ?? '').trim() === '') settings.push({ key: `make.${target}`, value: '', ...place });
        for (const need of (rule[2] ?? '').trim().split(/\s+/)) {
          if (need !== '') settings.push({ key: `make.${target}.needs[]`, value: need, ...place });
        }
        if (rule[3]?.trim()) settings.push({ key: `make.${target}[]`, value: rule[3].trim(), ...place });
      }
    } else if (/^(?:-?include|export|unexport)\b/.test(line)) {
      settings.push({ key: 'make.directive[]', value: line.trim(), ...place });
    }
  }
  return settings;
}

function* linesOf(text: string): Generator<{ line: string; start: number }> {
  let start = 0;
  for (const line of text.split('\n')) {
    yield { line, start };
    start += line.length + 1;
  }
}

function unquoted(text: string): string {
  const quote = text[0];
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text;
}
