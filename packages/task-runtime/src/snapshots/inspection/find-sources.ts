import { findBuiltCopies, looksGenerated } from './find-built-copies.js';
import { within } from './find-hidden-paths.js';
import { type ModuleGraph, reachedFiles } from './module-graph.js';
import { builtFolderOf, isAsidePath, isBuiltName, isCodePath, isTestPath, languageOf } from './path-roles.js';

/** What a generator may change, what holds a copy of it, and why. */
export interface FoundSources {
  readonly sourceFiles: readonly string[];
  readonly dropPaths: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Sources are the files that the tests load, directly or through others: nothing else could be broken in a way that a test
 * sees. Where the tests load what a build made, that is the source. Everything else that holds a source's text is dropped.
 */
export function findSources(options: {
  paths: readonly string[];
  texts: ReadonlyMap<string, string>;
  graph: ModuleGraph;
  testFiles: readonly string[];
  hiddenPaths: readonly string[];
  /** The caller's choice. */
  sourceFiles?: readonly string[] | undefined;
}): FoundSources {
  const { paths, texts, graph } = options;
  const isHidden = within(options.hiddenPaths);
  const notes: string[] = [];
  const reached = reachedFiles(graph, options.testFiles);
  const python = languageOf(options.testFiles[0] ?? '') === 'python';
  const sourceFiles = options.sourceFiles ?? chooseSources();
  const loaded = new Set([...reached, ...sourceFiles]);
  const copies = findCopies();
  return { sourceFiles, dropPaths: collapse({ paths, dropped: copies }), notes };

  function chooseSources(): readonly string[] {
    const eligible = paths.filter(
      (path) =>
        (languageOf(path) === 'python') === python &&
        isCodePath(path) &&
        !isHidden(path) &&
        !isTestPath(path) &&
        !isAsidePath(path) &&
        !isBuiltName(path),
    );
    const written = eligible.filter((path) => texts.has(path) && !looksGenerated(texts.get(path) as string));
    const found = written.filter((path) => reached.has(path));
    for (const path of eligible)
      if (reached.has(path) && !written.includes(path))
        notes.push(`${path} is loaded by the tests but looks generated, so it is no source`);
    const computes = [...reached].some((path) => graph.get(path)?.computed);
    if (found.length > 0 && !(python && computes)) return found;
    if (found.length === 0)
      notes.push('the imports of the tests lead to no source file, so all code that is not set aside counts as source');
    return written.filter((path) => found.includes(path) || builtFolderOf(path) === undefined);
  }

  function findCopies(): ReadonlySet<string> {
    const dropped = new Set<string>();
    const others = paths.filter((path) => !loaded.has(path) && !isHidden(path));
    for (const path of others) {
      const folder = builtFolderOf(path);
      const built = folder !== undefined && (!python || !folder.includes('/'));
      if (isBuiltName(path) || (built && !paths.includes(`${folder}/__init__.py`))) dropped.add(path);
      else if (!python && isCodePath(path) && looksGenerated(texts.get(path) ?? '')) dropped.add(path);
      else if (!python && mirrors(path, sourceFiles)) dropped.add(path);
    }
    const rest = others.filter((path) => !dropped.has(path) && texts.has(path) && isCodePath(path));
    for (const copy of findBuiltCopies({ sources: sourceFiles, others: rest, texts })) {
      dropped.add(copy.path);
      notes.push(`${copy.path} is left out: it shares ${Math.round(copy.share * 100)} % of its text with ${copy.of}, and no test loads it`);
    }
    return dropped;
  }
}

/** True for JavaScript or declarations at the place that a TypeScript source has below its own folder: `v3/a.js` of `src/v3/a.ts`. */
function mirrors(path: string, sourceFiles: readonly string[]): boolean {
  const stem = /^(.*?)(\.d)?\.[cm]?[jt]s$/.exec(path)?.[1];
  if (stem === undefined) return false;
  return sourceFiles.some((source) => {
    if (languageOf(source) !== 'typescript' || languageOf(path) === 'typescript') return false;
    const own = source.replace(/\.[cm]?tsx?$/, '');
    return own === stem || own.endsWith(`/${stem}`);
  });
}

/** Names a folder in place of its files where all of them are dropped. */
function collapse(options: { paths: readonly string[]; dropped: ReadonlySet<string> }): readonly string[] {
  const kept = new Set<string>();
  for (const path of options.paths) {
    if (options.dropped.has(path)) continue;
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) kept.add(path.slice(0, end));
  }
  const found = new Set<string>();
  for (const path of options.dropped) {
    let place = path;
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
      if (kept.has(path.slice(0, end))) continue;
      place = path.slice(0, end);
      break;
    }
    found.add(place);
  }
  return [...found].sort();
}
