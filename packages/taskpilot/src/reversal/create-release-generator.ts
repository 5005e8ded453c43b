import { lstat, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type Generator, type Snapshot, TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import type { FileChange } from '../edit/git-patch.js';
import { shuffle } from '../generator/shuffle.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { type Piece, splitChange } from './change-pieces.js';
import { createCodeReader } from './code-reader.js';
import { groupPieces } from './group-pieces.js';
import { readSources } from './read-sources.js';
import { readTreeFile } from './read-tree-file.js';
import { reversePieces } from './reverse-pieces.js';
import { createFormerSources, sourceFolders } from './source-paths.js';

/** Of files that differ more, a line diff is slow and says little. */
const largestDifference = 4000;

const optionsSchema = z.strictObject({
  older: z.string().min(1),
  newer: z.string().min(1).optional(),
  maxFiles: z.int().positive().default(4),
  maxChangedLines: z.int().positive().default(240),
});

/**
 * Makes the generator `release`: the difference between two released versions is split into groups of hunks that belong
 * together by the names they use (see `groupPieces`), and each group alone is undone in the snapshot. What changed in a file as
 * a whole, with all that belongs to it, is a further and larger candidate. In random order; the limits hold for both kinds.
 * Passed over is what `createCommitGenerator` passes over too. Neither folder is written, and nothing in them runs.
 *
 * @throws TadpoleError `invalid-config` for options of the wrong form; `propose` throws `invalid-input` when a folder is none,
 * or the older one holds nothing of the snapshot's sources, and `aborted` by its signal.
 */
export function createReleaseGenerator(options: {
  /** Folder of the older version, with the snapshot's layout. */
  older: string;
  /** Folder of the newer version. @default the snapshot's own */
  newer?: string;
  /** Sources that a candidate changes at most. @default 4 */
  maxFiles?: number;
  /** Lines added to and removed from sources by a candidate at most. @default 240 */
  maxChangedLines?: number;
}): Generator {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success)
    throw new TadpoleError({ code: 'invalid-config', message: `createReleaseGenerator: ${z.prettifyError(parsed.error)}` });
  const { older, newer, ...limits } = parsed.data;
  const name = 'release';
  const readCode = createCodeReader();

  return {
    name,
    async *propose({ snapshot, random, signal }) {
      throwIfAborted(signal, 'Proposing candidates');
      const sources = await readSources(snapshot);
      const changes = await readChanges({ snapshot, older, newer: newer ?? snapshot.directory, sources });
      const proposed = new Set<string>();
      for (const pieces of shuffle(piecesToUndo(changes), { random })) {
        throwIfAborted(signal, 'Proposing candidates');
        const lineage = { generator: name, operator: 'reverse-release' };
        const candidate = await reversePieces({ pieces, sources, limits, readCode, lineage });
        const key = JSON.stringify(candidate?.edits);
        if (candidate === null || proposed.has(key)) continue;
        proposed.add(key);
        yield candidate;
      }
    },
  };
}

/** Each group, and for each file the groups that touch it. */
function piecesToUndo(changes: readonly FileChange[]): readonly (readonly Piece[])[] {
  const pieces = changes.flatMap((change) => splitChange({ change, context: 1, maxChangedLines: largestDifference }) ?? []);
  const groups = groupPieces({ pieces, changes });
  const files = [...new Set(pieces.map(({ file }) => file))];
  return [...groups, ...files.map((file) => groups.filter((group) => group.some((piece) => piece.file === file)).flat())];
}

/** Both versions of every source that differs, by path. */
async function readChanges(options: {
  snapshot: Snapshot;
  older: string;
  newer: string;
  sources: ReadonlyMap<string, string>;
}): Promise<readonly FileChange[]> {
  const { snapshot, older, newer, sources } = options;
  for (const folder of [older, newer]) await assertFolder(folder);
  const changes: FileChange[] = [];
  let shared = 0;
  for (const path of [...sources.keys(), ...(await formerSources({ snapshot, older }))].sort()) {
    const [before, after] = await Promise.all([older, newer].map((directory) => readTreeFile({ directory, file: path })));
    if (before!.kind === 'text' && sources.has(path)) shared++;
    if (before!.kind === 'unusable' || after!.kind === 'unusable') continue;
    const change = { path, before: before!.kind === 'text' ? before!.text : null, after: after!.kind === 'text' ? after!.text : null };
    if (change.before !== change.after) changes.push(change);
  }
  if (shared > 0) return changes;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `expected an older version of ${snapshot.source} in ${older}, but it holds none of its source files; give the folder with the same layout.`,
  });
}

/** Sources that only the older version has. */
async function formerSources(options: { snapshot: Snapshot; older: string }): Promise<readonly string[]> {
  const { snapshot, older } = options;
  const isFormer = createFormerSources(snapshot);
  const listed = new Set(snapshot.sourceFiles);
  const former: string[] = [];
  for (const folder of sourceFolders(snapshot)) {
    for (const entry of await readdir(join(older, folder)).catch(() => [])) {
      const path = posix.join(folder, entry);
      if (!listed.has(path) && isFormer(path) && (await isAbsent(join(snapshot.directory, path)))) former.push(path);
    }
  }
  return former;
}

async function isAbsent(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) === null;
}

async function assertFolder(path: string): Promise<void> {
  if ((await lstat(path).catch(() => null))?.isDirectory() === true) return;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `expected the folder of a released version at ${path}, got none; unpack it there.`,
  });
}
