import { extname } from 'node:path';
import type { FileChange } from '../edit/git-patch.js';
import type { History } from './open-history.js';
import { type ChangedPath, listChanges, readBlob } from './read-commits.js';

/**
 * What one commit changed in sources; `null` when it changed none, more than `maxFiles`, a source in another way than as text
 * (a symlink, a submodule, binary content), one that `isSource` calls `frozen`, or moved code to another language.
 */
export async function readCommitSources(options: {
  history: History;
  commit: string;
  /** Folder of the repository that is the snapshot, `''` for its root. */
  folder: string;
  maxFiles: number;
  /** Given a path in the snapshot. */
  roleOf: (path: string) => 'source' | 'frozen' | 'other';
}): Promise<readonly FileChange[] | null> {
  const { history, commit, folder, maxFiles, roleOf } = options;
  const prefix = folder === '' ? '' : `${folder}/`;
  const changed = ((await listChanges({ history, commit })) ?? [])
    .filter(({ path }) => path.startsWith(prefix))
    .map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }))
    .map((entry) => ({ entry, role: roleOf(entry.path) }))
    .filter(({ role }) => role !== 'other');
  const entries = changed.map(({ entry }) => entry);
  if (entries.length === 0 || entries.length > maxFiles) return null;
  if (changed.some(({ role }) => role === 'frozen') || !entries.every(isPlain) || changesLanguage(entries)) return null;
  const changes: FileChange[] = [];
  for (const { path, before, after } of entries) {
    const texts: (string | null)[] = [];
    for (const side of [before, after]) {
      const text = side === null ? null : await readBlob({ history, object: side.object });
      if (side !== null && text === null) return null;
      texts.push(text);
    }
    changes.push({ path, before: texts[0]!, after: texts[1]! });
  }
  return changes;
}

function isPlain({ before, after }: ChangedPath): boolean {
  return [before, after].every((entry) => entry === null || /^100\d{3}$/.test(entry.mode));
}

/** A file that goes while one of another language comes is a move that no edit of lines undoes. */
function changesLanguage(entries: readonly ChangedPath[]): boolean {
  const languages = (isOne: (entry: ChangedPath) => boolean) => entries.filter(isOne).map(({ path }) => extname(path));
  const gone = languages(({ after }) => after === null);
  return languages(({ before }) => before === null).some((language) => gone.some((other) => other !== language));
}
