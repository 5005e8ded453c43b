import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

const ownerSchema = z.object({ pid: z.int().positive(), started: z.string() });

/**
 * Makes `file` as the lock of this process and gives it back with the returned function. A lock whose process has
 * ended is taken over; on Linux a process that got the same id later is told from it by its start.
 *
 * Not covered: processes of other machines on shared storage.
 *
 * @throws TadpoleError `storage` when a living process holds it, this one included, or it cannot be written.
 */
export function takeLock(file: string): () => void {
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  if (!create(file, mine)) {
    const theirs = readFileSync(file, 'utf8');
    if (isHeld(theirs)) throw inUse(file, theirs);
    const aside = `${file}.${process.pid}`;
    renameSync(file, aside);
    const taken = readFileSync(aside, 'utf8');
    if (taken !== theirs) {
      // Another process took it over in between: what was moved aside is its living lock.
      linkSync(aside, file);
      rmSync(aside);
      throw inUse(file, taken);
    }
    rmSync(aside);
    if (!create(file, mine)) throw inUse(file, readFileSync(file, 'utf8'));
  }
  return () => rmSync(file, { force: true });
}

/** Appears with its content or not at all, since another process may read it at once. */
function create(file: string, content: string): boolean {
  const made = `${file}.${process.pid}.new`;
  try {
    writeFileSync(made, content);
    linkSync(made, file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new TadpoleError({ code: 'storage', message: `Expected to make the lock ${file}, got: ${(cause as Error).message}`, cause });
  } finally {
    rmSync(made, { force: true });
  }
}

function isHeld(content: string): boolean {
  const owner = ownerSchema.safeParse(parseJson(content));
  if (!owner.success) return false;
  try {
    process.kill(owner.data.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return startOf(owner.data.pid) === owner.data.started;
}

/** A process's start in ticks of this boot; the same text for all where the system does not say. */
function startOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return fields[19]!;
  } catch {
    return 'unknown';
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function inUse(file: string, owner: string): TadpoleError {
  return new TadpoleError({
    code: 'storage',
    message: `Expected to be the only writer, but ${file} is held by ${owner}. Wait for that process, or stop it.`,
  });
}
