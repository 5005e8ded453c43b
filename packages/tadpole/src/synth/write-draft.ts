import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot, Task } from '@tadpole/contracts';
import { readTask, writeTask } from '@tadpole/task-runtime';
import { createCertificate, type TaskDraft, writeAgentTree, writeHiddenTree } from '@tadpole/taskpilot';

/** Writes a draft as a Harbor folder with its certificate; one that is there already is read. @throws TadpoleError `storage`. */
export async function writeDraft(options: {
  draft: TaskDraft;
  snapshot: Snapshot;
  /** Folder of task folders. */
  into: string;
  /** Folder for what is removed again. */
  scratch: string;
}): Promise<Task> {
  const { draft, snapshot, into } = options;
  const directory = join(into, draft.data.id);
  if (existsSync(join(directory, 'task.toml'))) return await readTask(directory);
  const scratch = await mkdtemp(join(options.scratch, 'draft-'));
  const workspace = join(scratch, 'workspace');
  try {
    await writeAgentTree({ snapshot, draft, into: workspace });
    const hiddenFiles = await writeHiddenTree({ snapshot, draft, into: join(scratch, 'hidden') });
    const { data, goldPatch } = draft;
    return await writeTask({ data, workspace, hiddenFiles, goldPatch, certificate: createCertificate({ draft }), into });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
