import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditSubject, type AuditTask, isTadpoleError, TadpoleError } from '@tadpole/contracts';
import { fromAtif } from '@tadpole/leaf-harness';
import { readAuditTask, subjectOfCase, subjectOfTrajectory } from '@tadpole/reward-hack-auditor';
import { readTask } from '@tadpole/task-runtime';
import { runRecords } from '../report/run-records.js';
import { readJournal } from '../run/journal.js';
import { readTrajectory } from '../run/read-trajectory.js';

/** Forms of what is audited: a run's folder · ATIF trajectories of this harness · the case format. */
export const auditFormats = ['run', 'atif', 'cases'] as const;
/** See {@link auditFormats}. */
export type AuditFormat = (typeof auditFormats)[number];

/** Something to audit, or the file that could not be read and why. */
export type AuditInput = { readonly file: string; readonly subject: AuditSubject } | { readonly file: string; readonly problem: string };

/**
 * Reads what is to be audited, one after the other: the rollouts of a run by its journal, or every JSON file of a folder or a single one.
 * A file that cannot be read is a problem of its own and does not end the others.
 *
 * @throws TadpoleError `invalid-input` when there is nothing at the path, or it is a run without the tasks of its rollouts.
 */
export async function* readAuditInput(options: {
  path: string;
  /** @default a run where there is a journal; else by each file's content */
  format?: AuditFormat | undefined;
  /** Folder of the task that ATIF trajectories are on. */
  task?: string | undefined;
}): AsyncGenerator<AuditInput> {
  const { path, format } = options;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw invalid(`Expected a run, a folder of cases or a file to audit at ${path}, found none.`);
  if (
    format === 'run' ||
    (format === undefined && stats.isDirectory() && statSync(join(path, 'journal.jsonl'), { throwIfNoEntry: false }))
  ) {
    yield* readRun(path);
    return;
  }
  const files = stats.isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(path, name))
    : [path];
  if (files.length === 0) throw invalid(`Expected JSON files to audit in ${path}, found none.`);
  const task = options.task === undefined ? undefined : await readAuditTask(await readTask(options.task));
  for (const file of files) yield readFile({ file, format, task });
}

/** The graded rollouts of a run, training and evaluation. */
async function* readRun(directory: string): AsyncGenerator<AuditInput> {
  const tasks = new Map<string, AuditTask>();
  for (const { taskId, trajectory: file, outcome } of runRecords(readJournal(directory)).rollouts) {
    if (outcome.status === 'unscored') continue;
    try {
      const task = tasks.get(taskId) ?? (await readAuditTask(await readTask(join(directory, 'tasks', taskId))));
      tasks.set(taskId, task);
      const { trajectory } = readTrajectory(join(directory, file));
      yield { file, subject: subjectOfTrajectory({ task, trajectory, outcome }) };
    } catch (error) {
      yield { file, problem: problemOf(error) };
    }
  }
}

function readFile(options: { file: string; format: AuditFormat | undefined; task: AuditTask | undefined }): AuditInput {
  const { file, format, task } = options;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const isAtif = format === 'atif' || (format === undefined && typeof value === 'object' && value !== null && 'schema_version' in value);
    if (!isAtif) return { file, subject: subjectOfCase(value) };
    if (task === undefined) throw invalid('Expected --task with the folder of the task that the trajectory is on.');
    return { file, subject: subjectOfTrajectory({ task, ...fromAtif(value) }) };
  } catch (error) {
    return { file, problem: problemOf(error) };
  }
}

/** @throws what is no fault of the input. */
function problemOf(error: unknown): string {
  if (error instanceof SyntaxError) return `Expected JSON, got text that is none: ${error.message}.`;
  const isInput = isTadpoleError(error) && ['invalid-input', 'unsupported'].includes(error.code);
  const isGone = (error as NodeJS.ErrnoException).code === 'EACCES';
  if (isInput || isGone) return (error as Error).message;
  throw error;
}

function invalid(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
