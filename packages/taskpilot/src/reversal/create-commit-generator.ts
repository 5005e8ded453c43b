import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Generator, relativePathSchema, type Snapshot, TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import type { FileChange } from '../edit/git-patch.js';
import { shuffle } from '../generator/shuffle.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { type Piece, splitChange } from './change-pieces.js';
import { createCodeReader } from './code-reader.js';
import { type History, openHistory } from './open-history.js';
import { readCommitSources } from './read-commit-sources.js';
import { listCommits, listTree, resolveCommit, type TreeEntry } from './read-commits.js';
import { readSources } from './read-sources.js';
import { blobName } from './read-tree-file.js';
import { reversePieces } from './reverse-pieces.js';
import { createFormerSources } from './source-paths.js';

const optionsSchema = z.strictObject({
  repository: z.string().min(1),
  // A leading dash would be read as a flag.
  head: z
    .string()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    .regex(/^[^\s\u0000-\u001f:-][^\s\u0000-\u001f:]*$/, 'expected a branch, tag or hash')
    .default('HEAD'),
  folder: z
    .union([z.literal(''), relativePathSchema])
    .default('')
    .transform((folder) => folder.replace(/\/+$/, '')),
  since: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
  maxCommits: z.int().positive().default(1000),
  maxFiles: z.int().positive().default(4),
  maxChangedLines: z.int().positive().default(120),
  gitTimeoutMs: z.int().positive().default(30_000),
});

/**
 * Makes the generator `commit`: what a commit of the repository's history changed in the snapshot's sources is undone, and to
 * do it again is the task; the snapshot's own tests grade it. Commits with one parent are taken, in random order, side
 * branches of merges too. Passed over: those that do not apply exactly any more, change only looks, comments or version
 * numbers, are too large, or touch a source as something else than UTF-8 text. Whether a test notices is decided by execution.
 *
 * The repository is read through git and never written; nothing of it runs (see `openHistory`). Of a commit only the lines
 * that it removed reach a candidate, never its hash, message, author or date. Not covered: a changelog in the snapshot that
 * tells of the fix.
 *
 * @throws TadpoleError `invalid-config` for options of the wrong form; `propose` throws `invalid-input` when there is no such
 * repository or commit, none of the snapshot's sources is as in that commit, or git fails or takes too long; `unsupported` for
 * SHA-256 objects; `missing-dependency` without git; `aborted` by its signal, which kills git.
 */
export function createCommitGenerator(options: {
  /** Path of a checkout or of a bare repository. */
  repository: string;
  /** Branch, tag or hash of the commit that the snapshot is the state of; sources that differ from it are not touched. @default 'HEAD' */
  head?: string;
  /** Folder of the repository that is the snapshot. @default '' (its root) */
  folder?: string;
  /** ISO date (its start in UTC), or a time with its offset: older commits are not read. @default none */
  since?: string;
  /** How many commits are read, newest first. @default 1000 */
  maxCommits?: number;
  /** Sources that a commit changes at most. @default 4 */
  maxFiles?: number;
  /** Lines that a commit adds to and removes from sources at most. @default 120 */
  maxChangedLines?: number;
  /** Wall time of one git command. @default 30000 */
  gitTimeoutMs?: number;
}): Generator {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success)
    throw new TadpoleError({ code: 'invalid-config', message: `createCommitGenerator: ${z.prettifyError(parsed.error)}` });
  const { repository, head, folder, since, maxCommits, gitTimeoutMs, ...limits } = parsed.data;
  const name = 'commit';
  const readCode = createCodeReader();

  return {
    name,
    async *propose({ snapshot, random, signal }) {
      throwIfAborted(signal, 'Proposing candidates');
      const history = await openHistory({ repository, timeoutMs: gitTimeoutMs, ...(signal === undefined ? {} : { signal }) });
      try {
        const from = await resolveCommit({ history, revision: head, repository });
        const tree = await readHeadTree({ history, commit: from, folder, repository });
        const sources = await sourcesAt({ snapshot, tree, commit: head });
        const roleOf = createRoles({ snapshot, sources, tree });
        const age = since === undefined ? {} : { since: Math.floor(Date.parse(since) / 1000) };
        const commits = shuffle(await listCommits({ history, from, maxCommits, ...age }), { random });
        const proposed = new Set<string>();
        for (const commit of commits) {
          throwIfAborted(signal, 'Proposing candidates');
          const changes = await readCommitSources({ history, commit, folder, maxFiles: limits.maxFiles, roleOf });
          const pieces = changes === null ? null : piecesOf({ changes, maxChangedLines: limits.maxChangedLines });
          if (pieces === null) continue;
          const lineage = { generator: name, operator: 'reverse-commit' };
          const candidate = await reversePieces({ pieces, sources, limits, readCode, lineage });
          const key = JSON.stringify(candidate?.edits);
          if (candidate === null || proposed.has(key)) continue;
          proposed.add(key);
          yield candidate;
        }
      } finally {
        await history.close();
      }
    },
  };
}

async function readHeadTree(options: { history: History; commit: string; folder: string; repository: string }) {
  const tree = await listTree(options);
  if (tree.size > 0) return tree;
  throw new TadpoleError({ code: 'invalid-input', message: `expected files in ${options.repository} at ${options.commit}, got none.` });
}

/** The snapshot's sources that are byte for byte those of the commit. */
async function sourcesAt(options: { snapshot: Snapshot; tree: ReadonlyMap<string, TreeEntry>; commit: string }) {
  const { snapshot, tree, commit } = options;
  const sources = await readSources(snapshot);
  for (const [file, text] of sources) if (tree.get(file)?.object !== blobName(text)) sources.delete(file);
  if (sources.size > 0) return sources;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `expected ${snapshot.source} to be the state of commit ${commit}, but none of its ${snapshot.sourceFiles.length} source files is; give the right \`head\` and \`folder\`.`,
  });
}

/** A source that is not as in the commit is frozen: what history says of it is not true of the snapshot. */
function createRoles(options: { snapshot: Snapshot; sources: ReadonlyMap<string, string>; tree: ReadonlyMap<string, TreeEntry> }) {
  const { snapshot, sources, tree } = options;
  const listed = new Set(snapshot.sourceFiles);
  const isFormer = createFormerSources(snapshot);
  return (path: string) => {
    if (listed.has(path)) return sources.has(path) ? 'source' : 'frozen';
    const isGone =
      !tree.has(path) &&
      relativePathSchema.safeParse(path).success &&
      lstatSync(join(snapshot.directory, path), { throwIfNoEntry: false }) === undefined;
    return isGone && isFormer(path) ? 'source' : 'other';
  };
}

function piecesOf(options: { changes: readonly FileChange[]; maxChangedLines: number }): readonly Piece[] | null {
  const split = options.changes.map((change) => splitChange({ change, context: 3, maxChangedLines: options.maxChangedLines }));
  return split.includes(null) ? null : split.flatMap((pieces) => pieces ?? []);
}
