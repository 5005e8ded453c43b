import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { eventSchema, isTadpoleError, TadpoleError, type TadpoleEvent } from '@tadpole/contracts';
import { assertFreeSpace } from '@tadpole/leaf-harness';

/** The append-only record of a run: the only source for resume and for every summary. */
export interface Journal {
  /** Events so far, those read at opening included. */
  readonly events: readonly TadpoleEvent[];
  /** Writes one line; returns only when the operating system has it, so that a killed process loses nothing.
   * @throws TadpoleError `storage`; what was written before stays readable. */
  append(event: TadpoleEvent): void;
  /** Forces what was written to the disk. */
  sync(): void;
  /** Gives the file back; nothing can be appended afterwards. */
  close(): void;
}

interface ReadJournal {
  readonly events: TadpoleEvent[];
  /** Bytes of complete lines; what follows is a line that a killed process did not finish. */
  readonly completeBytes: number;
}

/**
 * Reads the events of `journal.jsonl` in a run's folder. A last line without its newline is a write that was
 * cut off and is left out; a bad line anywhere else is an error.
 *
 * @throws TadpoleError `invalid-input` with the line's number.
 */
export function readJournal(directory: string): readonly TadpoleEvent[] {
  return parseJournal(join(directory, 'journal.jsonl')).events;
}

function parseJournal(path: string): ReadJournal {
  if (!existsSync(path)) return { events: [], completeBytes: 0 };
  const content = readFileSync(path);
  const completeBytes = content.lastIndexOf(0x0a) + 1;
  const lines = content.subarray(0, completeBytes).toString('utf8').split('\n');
  lines.pop();
  return { events: lines.map((line, index) => parseLine({ line, number: index + 1, path })), completeBytes };
}

function parseLine(options: { line: string; number: number; path: string }): TadpoleEvent {
  let value: unknown;
  try {
    value = JSON.parse(options.line);
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `${options.path}:${options.number}: expected one JSON event a line, got ${JSON.stringify(options.line.slice(0, 80))}. The journal was edited or damaged; restore it or start a new run.`,
      cause,
    });
  }
  const parsed = eventSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new TadpoleError({
    code: 'invalid-input',
    message: `${options.path}:${options.number}: not an event of this version (${issue?.path.join('.')}: ${issue?.message}). Resume with the version that wrote it.`,
    cause: parsed.error,
  });
}

/**
 * Opens `journal.jsonl` for appending and cuts off a line that a killed process left unfinished.
 *
 * @param options.reserveBytes - Stay free on its disk: the run ends with `storage` before it is full. @default 64 MiB
 * @throws TadpoleError `storage` when the folder cannot be written, `invalid-input` when a line is damaged.
 */
export function openJournal(directory: string, options: { reserveBytes?: number } = {}): Journal {
  const path = join(directory, 'journal.jsonl');
  const { events, completeBytes } = parseJournal(path);
  const file = guarded(path, () => openSync(path, existsSync(path) ? 'r+' : 'w+'));
  let position = completeBytes;
  guarded(path, () => ftruncateSync(file, completeBytes));

  return {
    events,
    append(event) {
      const line = Buffer.from(`${JSON.stringify(event)}\n`);
      guarded(path, () => {
        assertFreeSpace({ path, bytes: line.length, ...options });
        writeWhole({ file, line, position });
      });
      position += line.length;
      events.push(event);
    },
    sync: () => guarded(path, () => fsyncSync(file)),
    close: () => closeSync(file),
  };
}

function writeWhole(options: { file: number; line: Buffer; position: number }): void {
  try {
    let written = 0;
    while (written < options.line.length) {
      written += writeSync(options.file, options.line, written, options.line.length - written, options.position + written);
    }
  } catch (error) {
    ftruncateSync(options.file, options.position);
    throw error;
  }
}

function guarded<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (isTadpoleError(cause)) throw cause;
    throw new TadpoleError({
      code: 'storage',
      message: `Expected to write ${path}, got: ${(cause as Error).message}. The journal is intact up to its last complete line; free space or fix the folder's permissions and resume.`,
      cause,
    });
  }
}
