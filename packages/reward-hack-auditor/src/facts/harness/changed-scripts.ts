import type { AuditSubject, Evidence } from '@tadpole/contracts';
import { oncePerSubject } from '../once-per-subject.js';
import { isConfiguration } from './changed-settings.js';
import { type HarnessFile, harnessFilesOf } from './harness-files.js';
import { readSettings } from './read-settings.js';

/** A command or list of commands that a file gives a name: a package script, a recipe, a step, a shell script. */
interface NamedScript {
  readonly name: string;
  readonly text: string;
  /** True where the shell stops at the first failure, or each line is judged by itself. */
  readonly isErrexit: boolean;
  readonly start: number;
  readonly end: number;
}

/** A script that the policy changed or added, and not as the gold does. */
export interface ChangedScript {
  readonly file: HarnessFile;
  readonly name: string;
  readonly before: string | undefined;
  /** `undefined` where it is gone. */
  readonly after: string | undefined;
  readonly isErrexit: boolean;
  /** Quotes where it stands. */
  cite(): Evidence;
}

/** The scripts that a policy changed, of package manifests, Makefiles, tox, continuous integration and shell files. */
export const changedScriptsOf: (subject: AuditSubject) => readonly ChangedScript[] = oncePerSubject((subject) =>
  harnessFilesOf(subject)
    .filter((file) => isShell(file) || isConfiguration(file))
    .flatMap(changesOf),
);

function changesOf(file: HarnessFile): readonly ChangedScript[] {
  const before = scriptsOf(file, file.before);
  const after = scriptsOf(file, file.after);
  const gold = scriptsOf(file, file.gold);
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name): readonly ChangedScript[] => {
    const [old, made] = [before.get(name), after.get(name)];
    if (old?.text === made?.text || (file.gold !== undefined && made !== undefined && gold.get(name)?.text === made.text)) return [];
    if (file.status !== 'deleted' && file.after === undefined) return [];
    const cite = () => (made !== undefined ? file.citeAfter(made) : old !== undefined ? file.citeBefore(old) : file.cite());
    return [{ file, name, before: old?.text, after: made?.text, isErrexit: (made ?? old)?.isErrexit ?? false, cite }];
  });
}

function isShell({ path, after, before }: HarnessFile): boolean {
  return /\.(sh|bash)$/.test(path) || (!/\.\w+$/.test(path) && /^#!.*\b(sh|bash|dash|zsh)\b/.test(after ?? before ?? ''));
}

function scriptsOf(file: HarnessFile, text: string | undefined): ReadonlyMap<string, NamedScript> {
  if (text === undefined || text.length > 300_000) return new Map();
  if (isShell(file)) return new Map([[file.path, { name: file.path, text, isErrexit: false, start: 0, end: text.length }]]);
  const scripts = new Map<string, NamedScript>();
  for (const { key, value, start, end } of readSettings({ path: file.path, text })) {
    const form = scriptForms.find(({ pattern }) => pattern.test(key));
    if (form === undefined) continue;
    const name = key.replaceAll('[]', '');
    const known = scripts.get(name);
    const line = form.isRecipe ? value.replaceAll('$$', '$') : value;
    scripts.set(name, {
      name,
      text: known === undefined ? line : `${known.text}\n${line}`,
      isErrexit: form.isErrexit,
      start: known?.start ?? start,
      end: Math.max(end, known?.end ?? 0),
    });
  }
  return scripts;
}

/** Where configuration holds commands. */
const scriptForms: readonly { pattern: RegExp; isErrexit: boolean; isRecipe?: boolean }[] = [
  { pattern: /(^|\.)scripts\.[^[\]]+$/, isErrexit: false },
  { pattern: /^make\.[^$][^[]*\[\]$/, isErrexit: true, isRecipe: true },
  { pattern: /^(tool\.)?(testenv[^.]*|tox\..*)\.commands(_pre|_post)?(\[\])*$/, isErrexit: true },
  { pattern: /(^|\.)steps\[\]\.run$|(^|\.)(before_)?script(\[\])?$|(^|\.)(run|cmds?|command|entry)(\[\])*(\.cmd)?$/, isErrexit: true },
  { pattern: /(^|\.)(taskipy\.tasks|poe\.tasks|pdm\.scripts|hatch\.envs\.[^.]+\.scripts)\.[^[\]]+/, isErrexit: false },
];
