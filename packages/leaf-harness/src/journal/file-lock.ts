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
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (create(file, mine)) {
      return () => {
        if (read(file) === mine) rmSync(file, { force: true });
      };
    }
    const theirs = read(file);
    if (theirs !== undefined && isHeld(theirs)) throw inUse(file, theirs);
    if (theirs !== undefined) remove(file, theirs);
  }
  throw inUse(file, 'processes that take it over from each other');
}

/** Removes a dead process's lock, and nothing that another process has put in its place since it was read. */
function remove(file: string, theirs: string): void {
  const aside = `${file}.${process.pid}.old`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, 'utf8') !== theirs) linkSync(aside, file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST')
      throw new TadpoleError({ code: 'storage', message: `Expected to take the lock ${file} over, got: ${message}`, cause });
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Its content, or nothing where it is gone. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
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
