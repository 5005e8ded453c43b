import { TadpoleError, type Task } from '@tadpole/contracts';
import type { ExportSettings } from './export-settings.js';

/** What an export is made of. */
export interface ExportOptions {
  /** In the order in which they are to be read. */
  readonly tasks: readonly Task[];
  /** Of the harness that the policy is trained in. */
  readonly systemPrompt: string;
  /** Absolute path of the folder that the files will stand in; the configuration and the launch line name it. */
  readonly directory: string;
  readonly settings: ExportSettings;
}

/** An export as data: nothing has been written. */
export interface EngineExport {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** For a shell, in the engine's own checkout. */
  readonly launch: string;
  /** What the files cannot say, one sentence each. */
  readonly notes: readonly string[];
}

/** @throws TadpoleError `invalid-input` for no tasks, or one twice; for a folder whose name the engines' configurations would read as their own syntax. */
export function assertExport({ tasks, directory }: { tasks: readonly Task[]; directory: string }): void {
  const invalid = (message: string) => new TadpoleError({ code: 'invalid-input', message });
  if (/['"`$\\{}\n\r]/.test(directory)) {
    throw invalid(`Expected a folder without quotes, backslashes, braces, $ and line ends in its path, got ${JSON.stringify(directory)}.`);
  }
  if (tasks.length === 0) throw invalid('Expected tasks to export, got none.');
  const seen = new Set<string>();
  for (const { data } of tasks) {
    if (seen.has(data.id)) throw invalid(`Expected every task once, got ${data.id} twice.`);
    seen.add(data.id);
  }
}

/** The opening of a rollout: what a row has as its prompt. */
export function openingOf(options: { task: Task; systemPrompt: string }): readonly { role: 'system' | 'user'; content: string }[] {
  return [
    { role: 'system', content: options.systemPrompt },
    { role: 'user', content: options.task.data.instruction },
  ];
}

/** How a task is graded, as text: rows of one file must have one form, and verifiers have several. */
export function rewardText({ data, directory }: Task): string {
  return JSON.stringify({ taskId: data.id, directory, workspacePath: data.environment.workspacePath, verifier: data.verifier });
}

/** One JSON document a line. */
export function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** A word that a shell reads as it stands. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What holds for all three engines. */
export function commonNotes(options: { tasks: readonly Task[]; groups: number }): string[] {
  const { tasks, groups } = options;
  return [
    'The rows name the tasks; opening a task, running the harness and grading it are an environment of the engine, which this export does not write.',
    ...(tasks.length < groups
      ? [`An update has ${groups} groups, and there are fewer tasks: ${tasks.length}. Lower the groups or add tasks.`]
      : []),
  ];
}
