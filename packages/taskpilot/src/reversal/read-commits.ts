import { TadpoleError } from '@tadpole/contracts';
import type { History } from './open-history.js';

/** Longer files are no sources that a person wrote. */
export const largestSourceBytes = 2 ** 20;

/** One path that differs between a commit and its parent. */
export interface ChangedPath {
  /** Relative to the repository's root; bytes that are not UTF-8 are replaced, so that such a name equals no source's. */
  readonly path: string;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
}

/** An entry of a tree. */
export interface TreeEntry {
  /** Octal: `100644` and `100755` are files, `120000` a symlink, `160000` a submodule. */
  readonly mode: string;
  readonly object: string;
}

/** The commit that a revision names, in hexadecimal. @throws TadpoleError `invalid-input` when it names none. */
export async function resolveCommit(options: { history: History; revision: string; repository: string }): Promise<string> {
  const { history, revision, repository } = options;
  try {
    const output = await history.git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
    return String(output).trim();
  } catch (cause) {
    if ((cause as TadpoleError).code !== 'invalid-input') throw cause;
    throw new TadpoleError({
      code: 'invalid-input',
      message: `expected ${JSON.stringify(revision)} to name a commit of ${repository} (a branch, tag or hash), got none: ${(cause as Error).message}`,
      cause,
    });
  }
}

/** Every entry of a commit's tree, or of one folder of it, by path. @throws TadpoleError `invalid-input`. */
export async function listTree(options: { history: History; commit: string; folder: string }): Promise<Map<string, TreeEntry>> {
  const output = await options.history.git(['ls-tree', '-r', '-z', `${options.commit}:${options.folder}`]);
  if (output === null) throw new TadpoleError({ code: 'unsupported', message: 'expected a tree whose listing has at most 64 MiB.' });
  const entries = new Map<string, TreeEntry>();
  for (const line of output.toString('utf8').split('\0')) {
    const match = /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]*)$/.exec(line);
    if (match !== null) entries.set(match[3]!, { mode: match[1]!, object: match[2]! });
  }
  return entries;
}

/** Commits with one parent that are reachable from one, through merges too, newest first. */
export async function listCommits(options: {
  history: History;
  from: string;
  maxCommits: number;
  /** Seconds since 1970. */
  since?: number;
}): Promise<readonly string[]> {
  const { history, from, maxCommits, since } = options;
  const age = since === undefined ? [] : [`--max-age=${since}`];
  const output = await history.git(['rev-list', '--min-parents=1', '--max-parents=1', `--max-count=${maxCommits}`, ...age, from, '--']);
  return String(output).split('\n').filter(Boolean);
}

/** What a commit with one parent changed; `null` for a commit of more than 1 MiB of names. */
export async function listChanges(options: { history: History; commit: string }): Promise<readonly ChangedPath[] | null> {
  const words = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-commit-id', '--full-index', options.commit, '--'];
  const output = await options.history.git(words, { maxBytes: 2 ** 20 });
  if (output === null) return null;
  const fields = output.toString('utf8').split('\0');
  const changes: ChangedPath[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode, newMode, oldObject, newObject] = fields[at]!.slice(1).split(' ') as [string, string, string, string];
    changes.push({ path: fields[at + 1]!, before: entryOf(oldMode, oldObject), after: entryOf(newMode, newObject) });
  }
  return changes;
}

/** A blob as text that encodes back to its bytes; `null` when it is binary, not UTF-8 or above {@link largestSourceBytes}. */
export async function readBlob(options: { history: History; object: string }): Promise<string | null> {
  const bytes = await options.history.git(['cat-file', 'blob', options.object], { maxBytes: largestSourceBytes });
  return bytes === null ? null : exactText(bytes);
}

/** Bytes as text that encodes back to them, or `null`. */
export function exactText(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return !bytes.includes(0) && Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}

function entryOf(mode: string, object: string): TreeEntry | null {
  return /^0+$/.test(mode) ? null : { mode, object };
}
