import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Certificate, Snapshot, Task } from '@tadpole/contracts';
import { readTask, writeTask } from '@tadpole/task-runtime';
import { createCertificate, type TaskDraft, writeAgentTree, writeHiddenTree } from '@tadpole/taskpilot';

/** Writes a draft as a Harbor folder with its certificate; one that is there already is read. @throws TadpoleError `storage`. */
export async function writeDraft(options: {
  draft: TaskDraft;
  snapshot: Snapshot;
  /** @default one of the gates, of a task that nothing has measured */
  certificate?: Certificate;
  /** Folder of task folders. */
  into: string;
  /** Folder for what is removed again. */
  scratch: string;
}): Promise<Task> {
  const { draft, snapshot, into, certificate = createCertificate({ draft }) } = options;
  const directory = join(into, draft.data.id);
  if (existsSync(join(directory, 'task.toml'))) return await readTask(directory);
  const scratch = await mkdtemp(join(options.scratch, 'draft-'));
  const workspace = join(scratch, 'workspace');
  try {
    await writeAgentTree({ snapshot, draft, into: workspace });
    const hiddenFiles = await writeHiddenTree({ snapshot, draft, into: join(scratch, 'hidden') });
    const { data, goldPatch } = draft;
    return await writeTask({ data, workspace, hiddenFiles, goldPatch, certificate, into });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Removes what a killed process left of tasks that it was writing into a folder. */
export async function removeUnfinished(into: string): Promise<void> {
  const names = (await readdir(into)).filter((name) => name.startsWith('.draft-'));
  for (const name of names) await rm(join(into, name), { recursive: true, force: true });
}
