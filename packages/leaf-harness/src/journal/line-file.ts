import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { isTadpoleError, TadpoleError } from '@tadpole/contracts';
import { assertFreeSpace } from './assert-free-space.js';

const CHUNK_BYTES = 1_048_576;

/** An append-only file of complete lines. */
export interface LineFile {
  /** Lines that were complete when the file was opened, in order, with their 1-based numbers. */
  lines(): Generator<{ readonly text: string; readonly number: number }>;
  /** Behind the complete lines: what a killed process did not finish, its first 64 MiB at most. */
  unfinished(): string;
  /** Cuts that off. */
  cut(): void;
  /**
   * Writes one line and returns when it is on the disk. @throws TadpoleError `storage`, also when the file was deleted,
   * replaced or changed by another; the file keeps its complete lines.
   */
  append(text: string): void;
  close(): void;
}

/**
 * Opens a file of lines, or makes it unless it is only read. Nothing is appended that would leave less than `reserveBytes` free on its disk.
 * @throws TadpoleError `storage` when it cannot be opened.
 */
export function openLineFile(file: string, options: { reserveBytes?: number; readOnly?: boolean } = {}): LineFile {
  const { readOnly = false, ...reserve } = options;
  const handle = guarded(file, () => openSync(file, readOnly ? 'r' : 'a+'));
  let bytes = guarded(file, () => completeBytes(handle));
  return {
    *lines() {
      let number = 0;
      let rest: Buffer = Buffer.alloc(0);
      const end = bytes;
      for (let position = 0; position < end; ) {
        const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - position));
        const read = guarded(file, () => readSync(handle, chunk, 0, chunk.length, position));
        if (read === 0) throw gone(file);
        position += read;
        rest = Buffer.concat([rest, chunk.subarray(0, read)]);
        for (let at = rest.indexOf(0x0a); at !== -1; at = rest.indexOf(0x0a)) {
          number += 1;
          yield { text: rest.subarray(0, at).toString('utf8'), number };
          rest = rest.subarray(at + 1);
        }
      }
    },
    unfinished() {
      return guarded(file, () => {
        const rest = Buffer.alloc(Math.min(64 * CHUNK_BYTES, fstatSync(handle).size - bytes));
        return rest.toString('utf8', 0, readSync(handle, rest, 0, rest.length, bytes));
      });
    },
    cut() {
      guarded(file, () => fstatSync(handle).size > bytes && ftruncateSync(handle, bytes));
    },
    append(text) {
      const line = Buffer.from(`${text}\n`);
      guarded(file, () => {
        assertOurs({ file, handle, bytes });
        assertFreeSpace({ path: file, bytes: line.length, ...reserve });
        try {
          for (let written = 0; written < line.length; ) written += writeSync(handle, line, written);
          fsyncSync(handle);
        } catch (error) {
          truncateQuietly(handle, bytes);
          throw error;
        }
      });
      bytes += line.length;
    },
    close: () => closeSync(handle),
  };
}

function gone(file: string): TadpoleError {
  return new TadpoleError({ code: 'storage', message: `Expected ${file} to keep its lines while it is read, received a shorter file.` });
}

/** Length of the complete lines. */
function completeBytes(handle: number): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let end = fstatSync(handle).size; end > 0; end = Math.max(0, end - CHUNK_BYTES)) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const at = chunk.subarray(0, readSync(handle, chunk, 0, end - start, start)).lastIndexOf(0x0a);
    if (at !== -1) return start + at + 1;
  }
  return 0;
}

/** What is appended to a file that was deleted, replaced or changed meanwhile would be lost or damage it. */
function assertOurs({ file, handle, bytes }: { file: string; handle: number; bytes: number }): void {
  const [opened, named] = [fstatSync(handle), statSync(file)];
  if (opened.ino !== named.ino || opened.dev !== named.dev) throw new Error('another file stands in its place');
  if (opened.size !== bytes) throw new Error(`expected ${bytes} bytes as this process left them, received ${opened.size}`);
}

/** A part of a line that stays is cut off at the next opening. */
function truncateQuietly(handle: number, bytes: number): void {
  try {
    ftruncateSync(handle, bytes);
  } catch {
    // The first error says what is wrong.
  }
}

/** The action's value. @throws TadpoleError `storage` for whatever it throws. */
export function guarded<Value>(file: string, action: () => Value): Value {
  try {
    return action();
  } catch (cause) {
    if (isTadpoleError(cause)) throw cause;
    throw new TadpoleError({
      code: 'storage',
      message: `Expected to write ${file}, got: ${(cause as Error).message}. What it held is intact where it still stands; free space, fix the permissions or restore it, then go on.`,
      cause,
    });
  }
}
