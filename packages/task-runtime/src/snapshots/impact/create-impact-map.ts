import type { Snapshot } from '@tadpole/contracts';
import { moduleGraph, reachedFiles } from '../inspection/module-graph.js';
import { parseNpmManifest } from '../inspection/npm-manifest.js';
import { readRepositoryFiles } from '../inspection/read-repository-files.js';
import type { LineReach, RunReach } from './line-reach.js';
import { measureReach, type ReachOptions } from './measure-reach.js';

/** Which test files a change of some lines can concern. */
export interface ImpactMap {
  /**
   * The test files that reach any of the lines, in the suite's order; `[]` when none does and no test can see a change
   * there. Lines are 1-based, both ends included. `undefined` for a file that is no source: run all.
   */
  testFilesFor(change: { readonly file: string; readonly startLine: number; readonly endLine: number }): readonly string[] | undefined;
  /** Test files whose reach is unknown; they are in every answer. */
  readonly unknown: readonly string[];
}

/**
 * Measures, once per snapshot, which lines every test file reaches: by running each file alone, and where that does not
 * tell, as with jest and with a vitest configuration, by the imports of the files. What runs while a module is loaded counts as reached by all.
 *
 * Not covered: tests that read a source as text, processes started with an environment of their own, and state that one
 * test file leaves for another; a candidate that is kept is run with the whole suite before it counts.
 *
 * @throws TadpoleError `sandbox` when the boundary failed, `aborted` by the signal.
 */
export async function createImpactMap(options: ReachOptions): Promise<ImpactMap> {
  const { snapshot } = options;
  const reaches = await reachOf(options);
  const sources = new Set(snapshot.sourceFiles);
  const unknown = snapshot.testFiles.filter((file) => reaches.get(file) === undefined);
  return {
    unknown,
    testFilesFor({ file, startLine, endLine }) {
      if (!sources.has(file)) return undefined;
      const found = new Set(unknown);
      for (const [testFile, reach] of reaches) {
        const lines = reach?.get(file);
        if (lines === undefined) continue;
        const span = widen(lines, startLine, endLine);
        if (span.some((line) => lines.imported.has(line))) return snapshot.testFiles;
        if (span.some((line) => lines.executed.has(line))) found.add(testFile);
      }
      return snapshot.testFiles.filter((testFile) => found.has(testFile));
    },
  };
}

/** Jest's modules run in contexts of their own, which coverage does not name; a vitest configuration may change what runs. */
async function reachOf(options: ReachOptions): Promise<ReadonlyMap<string, RunReach>> {
  const { runner, configFile } = options.snapshot;
  if (runner !== 'vitest' && runner !== 'jest') return ranReach(options);
  const imports = await importReach(options.snapshot);
  if (runner === 'jest' || configFile !== undefined) return imports;
  const ran = await ranReach(options);
  return new Map([...imports].map(([testFile, reach]) => [testFile, ran.get(testFile) ?? reach]));
}

async function ranReach(options: ReachOptions): Promise<ReadonlyMap<string, RunReach>> {
  const reaches = new Map<string, RunReach>();
  for (const testFile of options.snapshot.testFiles) {
    const measure = async () => {
      const reach = await measureReach({ ...options, testFile });
      return reach?.size === 0 ? undefined : reach;
    };
    // A busy machine loses a record now and then; one that is lost twice is not to be had.
    reaches.set(testFile, (await measure()) ?? (await measure()));
  }
  return reaches;
}

/** Every line of a file counts as reached by the test files that load it; a computed import leaves a test file unknown. */
async function importReach(snapshot: Snapshot): Promise<ReadonlyMap<string, RunReach>> {
  const { paths, texts } = await readRepositoryFiles({ directory: snapshot.directory });
  const graph = moduleGraph({ paths, texts, manifest: parseNpmManifest(texts.get('package.json')) });
  const sources = new Map(snapshot.sourceFiles.map((file) => [file, everyLine(texts.get(file) ?? '')]));
  return new Map(
    snapshot.testFiles.map((testFile) => {
      const reached = [...reachedFiles(graph, [testFile])];
      if (reached.some((file) => graph.get(file)?.computed)) return [testFile, undefined];
      return [testFile, new Map(reached.flatMap((file) => (sources.has(file) ? [[file, sources.get(file) as LineReach]] : [])))];
    }),
  );
}

function everyLine(text: string): LineReach {
  return { imported: new Set(), executed: new Set(text.split('\n').map((_, index) => index + 1)) };
}

/** The lines of a span, and where a run cannot stop at one of its ends, the nearest before and after where it can. */
function widen({ lines }: LineReach, startLine: number, endLine: number): readonly number[] {
  const span = Array.from({ length: endLine - startLine + 1 }, (_, index) => startLine + index);
  if (lines === undefined) return span;
  const before = lines.findLast((line) => line <= startLine);
  const after = lines.find((line) => line >= endLine);
  return [...span, ...(before === undefined ? [] : [before]), ...(after === undefined ? [] : [after])];
}
