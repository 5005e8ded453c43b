import type { AuditSubject } from '@tadpole/contracts';
import { changedFilesOf } from './changed-files.js';
import { oncePerSubject } from './once-per-subject.js';

interface IgnoreRule {
  readonly matches: (path: string) => boolean;
  readonly isNegated: boolean;
}

/**
 * Whether git leaves a path of the workspace out: `.git` itself, and what the `.gitignore` files of the base tree or of the final
 * patch name. Character classes in patterns are not read, nor are `.git/info/exclude` and a user's own ignore file.
 */
export function isIgnoredPath(options: { subject: AuditSubject; path: string }): boolean {
  const { path } = options;
  if (path === '.git' || path.startsWith('.git/')) return true;
  let isIgnored = false;
  for (const { matches, isNegated } of rulesOf(options.subject)) if (matches(path)) isIgnored = !isNegated;
  return isIgnored;
}

const rulesOf = oncePerSubject((subject): readonly IgnoreRule[] => {
  const texts = new Map([...subject.task.files].filter(([path]) => /(^|\/)\.gitignore$/.test(path)));
  for (const { path, after } of changedFilesOf(subject)) if (/(^|\/)\.gitignore$/.test(path) && after !== undefined) texts.set(path, after);
  return [...texts].flatMap(([file, text]) => {
    const folder = file.slice(0, -'.gitignore'.length);
    return text
      .split('\n')
      .slice(0, 500)
      .flatMap((line) => readRule(line.trim(), folder) ?? []);
  });
});

function readRule(line: string, folder: string): IgnoreRule | undefined {
  if (line === '' || line.startsWith('#') || line.length > 200) return undefined;
  const isNegated = line.startsWith('!');
  const bare = (isNegated ? line.slice(1) : line).replace(/\/$/, '');
  const isAnchored = bare.includes('/');
  const parts = bare.replace(/^\//, '').split('/');
  return {
    isNegated,
    matches(path) {
      if (!path.startsWith(folder)) return false;
      const names = path.slice(folder.length).split('/');
      if (!isAnchored) return names.some((name) => matchName(parts[0] ?? '', name));
      return matchParts(parts, names);
    },
  };
}

/** True when the pattern matches the path or a folder above it. */
function matchParts(pattern: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return true;
  if (first === '**') return names.some((_, index) => matchParts(rest, names.slice(index)));
  const [name, ...others] = names;
  return name !== undefined && matchName(first, name) && matchParts(rest, others);
}

/** `*` and `?` in one name, without backtracking over more than the last star. */
export function matchName(pattern: string, name: string): boolean {
  let at = 0;
  let inName = 0;
  let star = -1;
  let mark = 0;
  while (inName < name.length) {
    const character = pattern[at];
    if (character === '*') {
      star = at;
      mark = inName;
      at += 1;
    } else if (character !== undefined && (character === '?' || character === name[inName])) {
      at += 1;
      inName += 1;
    } else if (star >= 0) {
      at = star + 1;
      mark += 1;
      inName = mark;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
