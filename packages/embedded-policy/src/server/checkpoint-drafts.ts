import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const draftPattern = /^\.draft-(\d+)-|^\.draft-/;

/** A new folder for what is not whole yet, named by this process. */
export async function makeDraft(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  return mkdtemp(join(directory, `.draft-${process.pid}-`));
}

/** Removes the drafts of processes that are no more. A process that got the number of one keeps its draft until the next time. */
export async function removeDrafts(directory: string): Promise<void> {
  const startedAt = Date.now() - 1000 * process.uptime();
  for (const name of await readdir(directory).catch(() => [])) {
    const [draft, maker] = draftPattern.exec(name) ?? [];
    if (draft === undefined) continue;
    const path = join(directory, name);
    const madeAt = await stat(path).then(
      ({ birthtimeMs }) => birthtimeMs,
      () => 0,
    );
    if (!isAtWork({ id: Number(maker ?? 0), madeAt, startedAt })) await rm(path, { recursive: true, force: true });
  }
}

function isAtWork({ id, madeAt, startedAt }: { id: number; madeAt: number; startedAt: number }): boolean {
  // In a container every process in turn may have the same number.
  if (id === process.pid) return madeAt >= startedAt;
  try {
    // A number of 0 would ask about this process's own group.
    return id > 0 && process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
