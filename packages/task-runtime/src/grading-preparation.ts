import { posix } from 'node:path';

/** Exit code of a patch that does not apply, and of hidden files that could not be laid down. */
export const preparationExits = { patch: 97, files: 96 } as const;

/**
 * Shell commands that turn a fresh workspace into the tree to grade: the patch on the base, packages that the patch
 * planted removed, protected paths as the task has them, hidden files copied in.
 *
 * Paths inside: `patch` a file, `base` the task's workspace or what of it is protected, `hidden` the hidden files.
 */
export function gradingPreparation(options: {
  patch?: string;
  base: string;
  hidden: string;
  protectedPaths: readonly string[];
  hiddenFiles: readonly string[];
}): string {
  const { base, hidden } = options;
  const folders = [...new Set([...options.hiddenFiles, ...options.protectedPaths].flatMap(ancestors))].sort();
  const restored = options.protectedPaths.map(
    (path) =>
      `rm -rf -- ${quote(path)}; if [ -e ${quote(`${base}/${path}`)} ]; then mkdir -p -- ${quote(posix.dirname(path))} && cp -RP -- ${quote(`${base}/${path}`)} ${quote(path)} || exit ${preparationExits.files}; fi`,
  );
  return [
    ...(options.patch === undefined
      ? []
      : [
          `git -c core.autocrlf=false -c core.hooksPath=/dev/null apply --whitespace=nowarn -- ${quote(options.patch)} || exit ${preparationExits.patch}`,
        ]),
    // A planted package would be found before the task's own dependencies.
    `find . -name node_modules -prune -exec rm -rf -- {} +`,
    `[ ! -d ${quote(base)} ] || (cd ${quote(base)} && find . -name node_modules -prune -print) | while IFS= read -r path; do cp -RP -- ${quote(base)}/"$path" "$path" || exit ${preparationExits.files}; done || exit ${preparationExits.files}`,
    ...folders.map(
      (path) => `if [ -L ${quote(path)} ] || { [ -e ${quote(path)} ] && [ ! -d ${quote(path)} ]; }; then rm -f -- ${quote(path)}; fi`,
    ),
    ...restored,
    ...(options.hiddenFiles.length === 0
      ? []
      : [`rm -rf -- ${options.hiddenFiles.map(quote).join(' ')}`, `cp -RP -- ${quote(hidden)}/. . || exit ${preparationExits.files}`]),
  ].join('\n');
}

function ancestors(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** One word for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
