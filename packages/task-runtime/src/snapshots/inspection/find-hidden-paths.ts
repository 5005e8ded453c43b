import { type ModuleGraph, reachedFiles } from './module-graph.js';
import { isAsidePath, isCodePath, isTestPath, testFolderOf } from './path-roles.js';

/**
 * What only the grader may see: folders of tests as a whole, and single tests and helpers that lie among the sources. A
 * folder named like one for tests that the package's own code loads from is none: only the tests in it are hidden.
 */
export function findHiddenPaths(options: {
  paths: readonly string[];
  graph: ModuleGraph;
  testFiles: readonly string[];
}): readonly string[] {
  const { paths, graph, testFiles } = options;
  const code = paths.filter((path) => isCodePath(path) && !isTestPath(path) && !isAsidePath(path));
  const loadedByCode = reachedFiles(graph, code);
  const hidden = new Set<string>(testFiles);
  for (const path of paths) {
    if (!isTestPath(path) || loadedByCode.has(path)) continue;
    const folder = testFolderOf(path);
    const shared = folder !== undefined && paths.some((other) => other.startsWith(`${folder}/`) && loadedByCode.has(other));
    hidden.add(folder === undefined || shared ? path : folder);
  }
  return [...hidden].filter((path) => ![...hidden].some((other) => path.startsWith(`${other}/`))).sort();
}

/** A predicate over paths: true for one of the given ones and for what lies below it. */
export function within(places: readonly string[]): (path: string) => boolean {
  const known = new Set(places);
  return (path) => {
    for (let place = path; place !== ''; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) if (known.has(place)) return true;
    return false;
  };
}
