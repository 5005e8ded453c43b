import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type Snapshot, TadpoleError } from '@tadpole/contracts';
import { isHidden } from '../validate/hidden-files.js';
import type { TaskDraft } from '../validate/task-draft.js';

/**
 * Writes the tree that the agent gets: the snapshot without its hidden paths and without a `.git` folder, the
 * changed files in place of the originals. Symbolic links are copied as links.
 *
 * @throws TadpoleError `invalid-input` when the draft is of another snapshot; `storage` when it cannot be written.
 */
export async function writeAgentTree(options: {
  snapshot: Pick<Snapshot, 'directory' | 'hash' | 'source'>;
  draft: Pick<TaskDraft, 'data' | 'agentFiles' | 'hiddenPaths'>;
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
    for (const { path, text } of draft.agentFiles) await writeChanged({ path: join(into, path), text });
  } catch (cause) {
    throw new TadpoleError({ code: 'storage', message: `Cannot write the agent's tree of ${draft.data.id} to ${into}.`, cause });
  }
}

/**
 * Writes the files that only the grader sees: the snapshot's hidden ones, the draft's own tests over them.
 *
 * @returns what `writeTask` of the runtime takes as `hiddenFiles`.
 * @throws TadpoleError `storage` when they cannot be written.
 */
export async function writeHiddenTree(options: {
  snapshot: Pick<Snapshot, 'directory'>;
  draft: Pick<TaskDraft, 'data' | 'hiddenFiles' | 'hiddenTests'>;
  /** Folder to write. */
  into: string;
}): Promise<{ directory: string; paths: readonly string[] }> {
  const { snapshot, draft, into } = options;
  const contents = new Map(draft.hiddenTests.map(({ file, content }) => [file, content]));
  try {
    for (const file of draft.hiddenFiles) {
      const content = contents.get(file);
      await mkdir(dirname(join(into, file)), { recursive: true });
      if (content === undefined) await cp(join(snapshot.directory, file), join(into, file), { verbatimSymlinks: true });
      else await writeFile(join(into, file), content, 'utf8');
    }
  } catch (cause) {
    throw new TadpoleError({ code: 'storage', message: `Cannot write the hidden files of ${draft.data.id} to ${into}.`, cause });
  }
  return { directory: into, paths: draft.hiddenFiles };
}

async function writeChanged({ path, text }: { path: string; text: string | null }): Promise<void> {
  if (text === null) return rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, 'utf8');
}
