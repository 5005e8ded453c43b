import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceOf } from './open-workbench.js';
import { type CaseSource, readCaseSource } from './read-case-source.js';
import { readTaskSource, type TaskSource } from './read-task-source.js';
import { parseSourceText, sourceError } from './source-text.js';

/** A task with the cases that share it. */
export interface Topic {
  readonly task: TaskSource;
  readonly cases: readonly CaseSource[];
}

/** Reads `LANGUAGE/TOPIC/task.md` and the cases beside it, in order of their names. @throws TadpoleError `invalid-input`. */
export async function readSources(folder: string): Promise<readonly Topic[]> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.md')).sort();
  const read = async (path: string) => parseSourceText({ path, text: await readFile(join(folder, path), 'utf8') });
  const topics: Topic[] = [];
  for (const path of paths.filter((name) => name.endsWith('/task.md'))) {
    const task = readTaskSource(await read(path));
    const names = paths.filter((name) => name.startsWith(path.slice(0, -'task.md'.length)) && name !== path);
    const sources = await Promise.all(names.map(read));
    topics.push({ task, cases: sources.map((source) => readCaseSource({ source, workspace: workspaceOf(task.topic) })) });
  }
  assertUnique({ what: 'topic', names: topics.map(({ task }) => task.topic) });
  assertUnique({ what: 'case', names: topics.flatMap(({ cases }) => cases.map(({ id }) => id)) });
  return topics;
}

function assertUnique(options: { what: string; names: readonly string[] }): void {
  const twice = options.names.find((name, index) => options.names.indexOf(name) !== index);
  if (twice !== undefined) throw sourceError({ path: twice, message: `expected every ${options.what} to have its own name` });
}
