import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { TadpoleError } from '@tadpole/contracts';

const CHUNK_BYTES = 1_048_576;

/** An append-only file of complete lines. */
export interface LineFile {
  /** Lines that were complete when the file was opened, in order, with their 1-based numbers. */
  lines(): Generator<{ readonly text: string; readonly number: number }>;
  /** Writes one line and returns when it is on the disk. @throws TadpoleError `storage`; the file keeps its complete lines. */
  append(text: string): void;
  close(): void;
}

/**
 * Opens a file of lines, or makes it, and cuts off a last line that a killed process did not finish.
 * @throws TadpoleError `storage` when it cannot be opened or repaired.
 */
export function openLineFile(file: string): LineFile {
  const handle = guarded(file, () => openSync(file, 'a+'));
  let bytes = guarded(file, () => repair(handle));
  return {
    *lines() {
      let number = 0;
      let rest: Buffer = Buffer.alloc(0);
      const end = bytes;
      for (let position = 0; position < end; ) {
        const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - position));
        const read = guarded(file, () => readSync(handle, chunk, 0, chunk.length, position));
        if (read === 0) return;
        position += read;
        rest = Buffer.concat([rest, chunk.subarray(0, read)]);
        for (let at = rest.indexOf(0x0a); at !== -1; at = rest.indexOf(0x0a)) {
          number += 1;
          yield { text: rest.subarray(0, at).toString('utf8'), number };
          rest = rest.subarray(at + 1);
        }
      }
    },
    append(text) {
      const line = Buffer.from(`${text}\n`);
      guarded(file, () => {
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

/** Length of the complete lines, to which the file is cut. */
function repair(handle: number): number {
  const { size } = fstatSync(handle);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const read = readSync(handle, chunk, 0, end - start, start);
    const at = chunk.subarray(0, read).lastIndexOf(0x0a);
    if (at !== -1) {
      if (start + at + 1 < size) ftruncateSync(handle, start + at + 1);
      return start + at + 1;
    }
    end = start;
  }
  if (size > 0) ftruncateSync(handle, 0);
  return 0;
}

/** A part of a line that stays is cut off at the next opening. */
function truncateQuietly(handle: number, bytes: number): void {
  try {
    ftruncateSync(handle, bytes);
  } catch {
    // The first error says what is wrong.
  }
}

function guarded<Value>(file: string, action: () => Value): Value {
  try {
    return action();
  } catch (cause) {
    throw new TadpoleError({
      code: 'storage',
      message: `Expected to write ${file}, got: ${(cause as Error).message}. Its complete lines are intact; free space or fix the permissions, then go on.`,
      cause,
    });
  }
}
