import { posix } from 'node:path';
import { runnerConfigurationNames } from './runner-configuration.js';

/** Exit code of a patch that does not apply, and of files that could not be laid down. */
export const preparationExits = { patch: 97, files: 96 } as const;

/** The command that applies a patch to the working folder. */
export function applyPatch(patch: string): string {
  const settings = '-c core.autocrlf=false -c core.hooksPath=/dev/null';
  return `git ${settings} apply --whitespace=nowarn -- ${quote(patch)} || exit ${preparationExits.patch}`;
}

/**
 * Shell commands that turn a fresh workspace into the tree to grade: the patch on the base, runner configuration that
 * the patch planted removed, restored paths as the task has them, hidden files copied in and nothing in their place.
 *
 * Paths inside: `patch` a file, `base` the task's workspace or what of it is restored, `hidden` the hidden files,
 * `settlePackageNames` the script of that name.
 */
export function gradingPreparation(options: {
  patch?: string;
  base: string;
  hidden: string;
  /** Paths that are as in the base whatever the patch says. */
  restoredPaths: readonly string[];
  hiddenFiles: readonly string[];
  /** Files of the task's workspace. */
  baseFiles: readonly string[];
  settlePackageNames?: string;
}): string {
  const { base, hidden, hiddenFiles, restoredPaths } = options;
  const failed = `exit ${preparationExits.files}`;
  const folders = [...new Set([...hiddenFiles, ...restoredPaths].flatMap(ancestors))].sort();
  const names = runnerConfigurationNames.map((name) => `-name ${quote(name)}`).join(' -o ');
  // Whether a path is in the base is known here: inside, one that cannot be reached would look absent.
  const inBase = (path: string) => options.baseFiles.some((file) => file === path || file.startsWith(`${path}/`));
  const restored = restoredPaths.map((given) => {
    const path = given.replace(/\/+$/, '');
    const [from, to] = [quote(`${base}/${path}`), quote(path)];
    const copy = `; mkdir -p -- ${quote(posix.dirname(path))} && cp -RP -- ${from} ${to} || ${failed}`;
    return `rm -rf -- ${to}${inBase(path) ? copy : ''}`;
  });
  return [
    ...(options.patch === undefined ? [] : [applyPatch(options.patch)]),
    ...(options.settlePackageNames === undefined
      ? []
      : [`${packagesAreThoseOf(base)} || node ${quote(options.settlePackageNames)} ${quote(base)} || ${failed}`]),
    `find . -name .git -prune -o '(' ${names} ')' -prune -exec rm -rf -- {} +`,
    ...folders.map(
      (path) => `if [ -L ${quote(path)} ] || { [ -e ${quote(path)} ] && [ ! -d ${quote(path)} ]; }; then rm -f -- ${quote(path)}; fi`,
    ),
    ...restored,
    ...shadows(options).map(
      ({ pattern, keep }) =>
        `for path in ${pattern}; do case "$path" in ${keep.map(quote).join('|') || "''"}) ;; *) rm -rf -- "$path";; esac; done`,
    ),
    ...(hiddenFiles.length === 0 ? [] : [`rm -rf -- ${hiddenFiles.map(quote).join(' ')}`, `cp -RP -- ${quote(hidden)}/. . || ${failed}`]),
  ].join('\n');
}

/** A command that succeeds where every package.json is the base's, which spares most gradings the start of Node.js. */
function packagesAreThoseOf(base: string): string {
  const compare = `for path do cmp -s -- "$path" "$0/$path" || exit 1; done`;
  return `find . '(' -name node_modules -o -name .git ')' -prune -o -name package.json -exec sh -c ${quote(compare)} ${quote(base)} '{}' +`;
}

/** Names that a module loader would try before a hidden file's own, as `helpers` and `helpers.so` before `helpers.py`. */
function shadows(options: {
  hiddenFiles: readonly string[];
  baseFiles: readonly string[];
}): readonly { pattern: string; keep: string[] }[] {
  const code = options.hiddenFiles.filter((file) => /\.([cm]?[jt]sx?|py)$/.test(file));
  const stems = code.map((file) => file.replace(/\.\w+$/, ''));
  const folders = [...new Set(options.hiddenFiles.flatMap(ancestors))].filter((folder) => folder.includes('/'));
  return [...new Set([...stems, ...folders])].map((stem) => {
    const inBase = options.baseFiles.filter((file) => file.startsWith(`${stem}.`) || file.startsWith(`${stem}/`) || file === stem);
    const keep = [...new Set(inBase.map((file) => stem + (file.slice(stem.length).match(/^[^/]*/)?.[0] ?? '')))];
    return { pattern: `${folders.includes(stem) ? '' : `${quote(stem)} `}${quote(`${stem}.`)}*`, keep };
  });
}

function ancestors(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** One word for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
