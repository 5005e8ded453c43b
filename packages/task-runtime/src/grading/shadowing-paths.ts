import { dirname } from 'node:path/posix';

/** Files that a module loader finds by a name without their ending. */
const loadable = /\.([cm]?[jt]sx?|py|json|node)$/;
/** What follows a folder's path in a file by which the folder is found under its own name. */
const folderEntry = /^\/(index\.\w+|package\.json)$|\.py$/;

/**
 * Names that a module loader would try before, or in place of, a hidden or restored file, as `helper/` and `helper.so`
 * before `helper.py`, `helper` before `helper.js`, `helper.js` before `helper.ts` or the folder `helper`.
 *
 * @returns groups of such names and of beginnings of them, each with the paths that the task's workspace has itself.
 */
export function shadowingPaths(options: {
  hiddenFiles: readonly string[];
  restoredPaths: readonly string[];
  baseFiles: readonly string[];
}): readonly { readonly names: readonly string[]; readonly prefixes: readonly string[]; readonly keep: readonly string[] }[] {
  const { baseFiles, hiddenFiles } = options;
  const restored = new Set(options.restoredPaths.map((path) => path.replace(/\/+$/, '')));
  const isRestored = (file: string) => [...ancestors(file), file].some((path) => restored.has(path));
  // Installed packages are removed and restored as a whole.
  const own = baseFiles.filter((file) => isRestored(file) && !file.split('/').includes('node_modules'));
  const guarded = [...new Set([...hiddenFiles, ...own])];
  const isFound = (folder: string, file: string) => folder.includes('/') || folderEntry.test(file.slice(folder.length));
  const folders = new Set(guarded.flatMap((file) => ancestors(file).filter((folder) => isFound(folder, file))));
  const stems = guarded.filter((file) => loadable.test(file)).map((file) => file.replace(/\.\w+$/, ''));
  const modules = new Set(guarded.filter((file) => file.endsWith('.py')).map((file) => file.slice(0, -'.py'.length)));
  const pathsIn = pathsByFolder(baseFiles);
  return [...new Set([...stems, ...folders])].map((stem) => {
    // A folder that stands beside a module of Python takes its place with this file alone.
    const initial = modules.has(stem) && pathsIn.has(stem) ? [`${stem}/__init__.`] : [];
    const prefixes = [`${stem}.`, ...initial];
    const near = [...(pathsIn.get(dirname(stem)) ?? []), ...(pathsIn.get(stem) ?? [])];
    const keep = near.filter((path) => path === stem || prefixes.some((prefix) => path.startsWith(prefix)));
    return { names: folders.has(stem) ? [] : [stem], prefixes, keep };
  });
}

/** The folders above a path, the topmost first. */
export function ancestors(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The paths right in each folder of a tree, by the folder's own; the tree itself is `.`. */
function pathsByFolder(files: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const paths = new Map<string, Set<string>>();
  for (const path of files.flatMap((file) => [...ancestors(file), file])) {
    const siblings = paths.get(dirname(path)) ?? new Set();
    paths.set(dirname(path), siblings.add(path));
  }
  return paths;
}
