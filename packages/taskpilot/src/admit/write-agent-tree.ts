import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Snapshot, TadpoleError } from '@tadpole/contracts';
import { isHidden } from '../validate/hidden-files.js';
import type { TaskDraft } from '../validate/task-draft.js';

/**
 * Writes the tree that the agent gets: the snapshot without its hidden paths and without a `.git` folder, the
 * buggy files in place of the originals. Symbolic links are copied as links.
 *
 * @throws TadpoleError `invalid-input` when the draft is of another snapshot; `storage` when it cannot be written.
 */
export async function writeAgentTree(options: {
  snapshot: Pick<Snapshot, 'directory' | 'hash' | 'source'>;
  draft: Pick<TaskDraft, 'data' | 'buggyFiles' | 'hiddenPaths'>;
  /** Folder to write; must not hold anything yet. */
  into: string;
}): Promise<void> {
  const { snapshot, draft, into } = options;
  if (draft.data.lineage.snapshotHash !== snapshot.hash) {
    const message = `Expected the snapshot ${draft.data.lineage.snapshotHash} of ${draft.data.id}, got ${snapshot.hash} (${snapshot.source}).`;
    throw new TadpoleError({ code: 'invalid-input', message });
  }
  const isVisible = (path: string) => {
    const file = relative(snapshot.directory, path).split(sep).join('/');
    return file !== '.git' && !isHidden({ file, hiddenPaths: draft.hiddenPaths });
  };
  try {
    await mkdir(into, { recursive: true });
    await cp(snapshot.directory, into, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false, filter: isVisible });
    for (const { path, text } of draft.buggyFiles) await writeFile(join(into, path), text, 'utf8');
  } catch (cause) {
    throw new TadpoleError({ code: 'storage', message: `Cannot write the agent's tree of ${draft.data.id} to ${into}.`, cause });
  }
}
