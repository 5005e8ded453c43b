import { linesOf } from './lines-of.js';
import type { Setting } from './setting.js';

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
      const [, names = '', needs = '', recipe = ''] = rule;
      targets = words(names);
      for (const target of targets) {
        const values = ruleValues({ target, needs, recipe });
        settings.push(...values.map((value) => ({ ...value, ...place })));
      }
    } else if (/^(?:-?include|export|unexport)\b/.test(line)) {
      settings.push({ key: 'make.directive[]', value: line.trim(), ...place });
    }
  }
  return settings;
}

/** What one rule says of a target: what it needs, or that it needs nothing, and a recipe on the same line. */
function ruleValues(rule: { target: string; needs: string; recipe: string }): readonly Pick<Setting, 'key' | 'value'>[] {
  const { target, needs, recipe } = rule;
  const needed =
    needs.trim() === ''
      ? [{ key: `make.${target}`, value: '' }]
      : words(needs).map((need) => ({ key: `make.${target}.needs[]`, value: need }));
  return recipe.trim() === '' ? needed : [...needed, { key: `make.${target}[]`, value: recipe.trim() }];
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
