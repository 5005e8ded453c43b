import { posix } from 'node:path';
import { runnerConfigurationNames } from './runner-configuration.js';
import { ancestors, shadowingPaths } from './shadowing-paths.js';

/** Exit code of files that could not be laid down. */
export const filesExit = 96;

/**
 * Shell commands that turn a workspace with a patch into the tree to grade: runner configuration that the patch planted
 * removed, restored paths as the task has them, hidden files copied in, and nothing in the place of either. They end the
 * shell with the first that fails.
 *
 * Paths inside: `base` the task's workspace or what of it is restored, `hidden` the hidden files, `settlePackageNames` the
 * script of that name.
 */
export function gradingPreparation(options: {
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
  const failed = `exit ${filesExit}`;
  const folders = [...new Set([...hiddenFiles, ...restoredPaths].flatMap(ancestors))].sort();
  const configuration = runnerConfigurationNames.map((name) => `-name ${quote(name)}`).join(' -o ');
  // Whether a path is in the base is known here: inside, one that cannot be reached would look absent.
  const inBase = (path: string) => options.baseFiles.some((file) => file === path || file.startsWith(`${path}/`));
  const restored = restoredPaths.map((given) => {
    const path = given.replace(/\/+$/, '');
    const [from, to] = [quote(`${base}/${path}`), quote(path)];
    const copy = `; mkdir -p -- ${quote(posix.dirname(path))} && cp -RP -- ${from} ${to} || ${failed}`;
    return `rm -rf -- ${to}${inBase(path) ? copy : ''}`;
  });
  return [
    'set -e',
    ...(options.settlePackageNames === undefined
      ? []
      : [`${packagesAreThoseOf(base)} || node ${quote(options.settlePackageNames)} ${quote(base)} || ${failed}`]),
    `find . -name .git -prune -o '(' ${configuration} ')' -prune -exec rm -rf -- {} +`,
    ...folders.map(
      (path) => `if [ -L ${quote(path)} ] || { [ -e ${quote(path)} ] && [ ! -d ${quote(path)} ]; }; then rm -f -- ${quote(path)}; fi`,
    ),
    ...restored,
    ...shadowingPaths(options).map(({ names, prefixes, keep }) => {
      const candidates = [...names.map(quote), ...prefixes.map((prefix) => `${quote(prefix)}*`)].join(' ');
      const kept = keep.map(quote).join('|') || "''";
      return `for path in ${candidates}; do case "$path" in ${kept}) ;; *) rm -rf -- "$path";; esac; done`;
    }),
    ...(hiddenFiles.length === 0 ? [] : [`rm -rf -- ${hiddenFiles.map(quote).join(' ')}`, `cp -RP -- ${quote(hidden)}/. . || ${failed}`]),
  ].join('\n');
}

/** A command that succeeds where every package.json is the base's, which spares most gradings the start of Node.js. */
function packagesAreThoseOf(base: string): string {
  const compare = `for path do cmp -s -- "$path" "$0/$path" || exit 1; done`;
  return `find . '(' -name node_modules -o -name .git ')' -prune -o -name package.json -exec sh -c ${quote(compare)} ${quote(base)} '{}' +`;
}

/** One word for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
