import { closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Outcome, rolloutPurposeSchema, TadpoleError, type Trajectory, usageSchema } from '@tadpole/contracts';
import { z } from 'zod';
import { fromAtif } from '../atif/from-atif.js';
import { toAtif } from '../atif/to-atif.js';
import { isInfrastructureFailure } from '../rollouts/attempt-grading.js';
import type { RolloutJournal } from '../rollouts/roll-out-options.js';
import { createRedactor, type Redactor } from '../secrets/create-redactor.js';
import { redactValue } from '../secrets/redact-value.js';
import { takeLock } from './file-lock.js';
import { guarded, type LineFile, openLineFile } from './line-file.js';

const identitySchema = z.strictObject({
  key: z.string().min(1),
  purpose: rolloutPurposeSchema,
  taskId: z.string(),
  taskHash: z.string(),
  sample: z.int().min(0),
  seed: z.int().min(0),
  weightsVersion: z.string(),
  usage: usageSchema,
  failedAttempts: z.array(z.strictObject({ stage: z.enum(['agent', 'grading']), detail: z.string(), usage: usageSchema.optional() })),
});

const lineSchema = identitySchema.extend({ document: z.unknown() });

/** One finished rollout on record. */
export interface RolloutRecord extends Readonly<z.infer<typeof identitySchema>> {
  readonly trajectory: Trajectory;
  readonly outcome: Outcome;
}

/** A journal in a file that this process alone writes. */
export interface FileRolloutJournal extends RolloutJournal {
  /** The rollouts on record, in the order in which they finished. One that was rolled out again stands in it more than once; its last record counts. */
  records(): Generator<RolloutRecord>;
  /** Gives the file back. */
  close(): void;
}

/**
 * Opens `file` as the journal of `rollOut`, or makes it: one line of JSON for each finished rollout, its trajectory
 * inside as ATIF, on the disk before the rollout is yielded. `has` is true for a rollout with a score or a final
 * refusal; one that the infrastructure failed is rolled out again. The cost of a journal is the sum over its records.
 *
 * A last line that a killed process did not finish is cut off. Not covered: a second writer through a hard link.
 *
 * @throws TadpoleError `storage` when another writer has it or it cannot be written, also because it was deleted,
 *   replaced or written to by another while it is open; `invalid-input` with the number of a line that cannot be read,
 *   and for a file that is no journal, which stays as it is.
 */
export function createRolloutJournal(options: {
  file: string;
  /** Takes secrets out. @default createRedactor(): keys of known forms */
  redactor?: Redactor;
  /** Bytes that stay free on the file's disk: the run ends with `storage` before it is full. @default 64 MiB */
  reserveBytes?: number;
}): FileRolloutJournal {
  const { redactor = createRedactor() } = options;
  const reserve = reserveOf(options);
  const file = realFile(options.file);
  const release = takeLock(`${file}.lock`);
  let opened: LineFile | undefined;
  try {
    const lines = openLineFile(file, reserve);
    opened = lines;
    const finished = new Set<string>();
    const note = (key: string, outcome: Outcome) => {
      if (isInfrastructureFailure(outcome)) finished.delete(key);
      else finished.add(key);
    };
    const records = function* (): Generator<RolloutRecord> {
      for (const { text, number } of lines.lines()) yield readRecord({ text, where: `${file}:${number}` });
    };
    let closed = false;
    let count = 0;
    for (const { key, outcome } of records()) {
      note(key, outcome);
      count += 1;
    }
    const whole = unfinishedRecord({ text: lines.unfinished(), where: `${file}:${count + 1}` });
    lines.cut();
    if (whole !== undefined) {
      lines.append(whole.text);
      note(whole.key, whole.outcome);
    }
    return {
      has: (key) => finished.has(key),
      append({ type: _type, task, trajectory, outcome, ...identity }) {
        const { key, ...rest } = identity;
        const kept = redactValue({ ...rest, taskId: task.data.id }, { redactor }).value;
        lines.append(JSON.stringify({ key, ...kept, document: toAtif(trajectory, { outcome, redactor }) }));
        note(key, outcome);
      },
      records,
      close() {
        if (closed) return;
        closed = true;
        lines.close();
        release();
      },
    };
  } catch (error) {
    opened?.close();
    release();
    throw error;
  }
}

/**
 * The rollouts on record in a journal's file, in the order in which they finished, also while another process writes it: a
 * line that is not complete yet is left out.
 *
 * @throws TadpoleError `storage` when there is no such file; `invalid-input` as {@link createRolloutJournal} does.
 */
export function* readRolloutRecords(options: { file: string }): Generator<RolloutRecord> {
  const { file } = options;
  const lines = openLineFile(file, { readOnly: true });
  try {
    for (const { text, number } of lines.lines()) yield readRecord({ text, where: `${file}:${number}` });
  } finally {
    lines.close();
  }
}

function reserveOf({ reserveBytes }: { reserveBytes?: number }): { reserveBytes?: number } {
  if (reserveBytes === undefined) return {};
  if (Number.isInteger(reserveBytes) && reserveBytes >= 0) return { reserveBytes };
  const message = `createRolloutJournal: expected reserveBytes to be an integer of at least 0, received ${String(reserveBytes)}.`;
  throw new TadpoleError({ code: 'invalid-input', message });
}

/** The file behind links, made where there is none: two names of one file have one lock. */
function realFile(file: string): string {
  return guarded(file, () => {
    if (!existsSync(dirname(resolve(file)))) throw new Error('its folder does not exist; make it first');
    const kind = statSync(file, { throwIfNoEntry: false });
    if (kind !== undefined && !kind.isFile() && !kind.isCharacterDevice()) throw new Error('it is no regular file');
    closeSync(openSync(file, 'a'));
    return realpathSync(file);
  });
}

/** Every record begins so. */
const RECORD_START = '{"key":"';

/**
 * What follows the last complete line: nothing, the start of a record that was not finished, or a whole one whose newline is
 * missing, which is given. Anything else is not ours to cut.
 */
function unfinishedRecord(options: { text: string; where: string }): { text: string; key: string; outcome: Outcome } | undefined {
  const { text, where } = options;
  // No record that was written here holds a raw carriage return.
  const isStart = RECORD_START.startsWith(text.slice(0, RECORD_START.length)) && !text.includes('\r');
  if (text === '' || (isStart && !isJson(text))) return undefined;
  const { key, outcome } = readRecord({ text, where });
  return { text, key, outcome };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readRecord(options: { text: string; where: string }): RolloutRecord {
  try {
    const { document, ...identity } = lineSchema.parse(JSON.parse(options.text));
    const { trajectory, outcome } = fromAtif(document);
    if (outcome === undefined) throw new TadpoleError({ code: 'invalid-input', message: 'expected an outcome, received none' });
    return { ...identity, trajectory, outcome };
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `${options.where}: expected the record of one rollout, got: ${firstProblem(cause as Error)}. The journal was edited or damaged, is of another version, or is no journal of rollOut; restore it, or begin a new one.`,
      cause,
    });
  }
}

function firstProblem(error: Error): string {
  if (!(error instanceof z.ZodError)) return error.message;
  const [first] = error.issues;
  return `${first?.path.join('.') || 'a line'}: ${first?.message}`;
}
