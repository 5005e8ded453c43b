import { join, relative, resolve } from 'node:path';
import { type Certificate, certificateSchema, type SandboxLimits, type Task, taskDataSchema } from '@tadpole/contracts';
import { z } from 'zod';
import { assertSingleStep, foreignTaskData, foreignTaskLimits } from './foreign-task.js';
import { malformed, parseHarborManifest } from './harbor-manifest.js';
import { readBoundedFile } from './read-bounded-file.js';
import { statInside } from './stat-inside.js';
import { taskFolder } from './task-folder.js';

/** No statement, manifest or certificate is longer; what is would be held in memory and sent to a model. */
const longestFileBytes = 16_777_216;

/**
 * Reads a task from its Harbor folder, schemas 1.0 to 1.4 with their older spellings.
 *
 * A folder that {@link writeTask} made is read from `[metadata.tadpole]` alone. One of another program becomes a task
 * with a `script` verifier; `lineage.notCarried` lists every key and file of it that has no place in a task, so that
 * nothing is lost silently (the folder stays as it is). Its files must stand in `environment/workspace` to be opened.
 *
 * @param options.limits - bounds for what a foreign folder does not say, over {@link foreignTaskLimits}
 * @throws TadpoleError `invalid-input` that names the file, the line or key, and what was expected; `unsupported` for a
 * multi-step task, a separate verifier or Windows. A link in the place of one of the task's own files and folders is
 * refused, as are files above 16 MiB.
 */
export async function readTask(directory: string, options: { limits?: Partial<SandboxLimits> } = {}): Promise<Task> {
  const path = resolve(directory);
  const folder = taskFolder(path);
  await assertNoLinks(path);
  const manifest = parseHarborManifest({ text: await readText(folder.manifest), file: folder.manifest });
  const own = manifest.metadata?.tadpole;
  if (own === undefined) assertSingleStep({ directory: path, manifest });
  const instruction = await readText(folder.instruction);
  if (own === undefined) {
    const limits = { ...foreignTaskLimits, ...options.limits };
    return { data: foreignTaskData({ directory: path, manifest, instruction, limits }), directory: path };
  }
  const data = checked(taskDataSchema, { ...own, instruction }, `${folder.manifest} [metadata.tadpole]`);
  const workspace = await statInside({ directory: path, path: relative(path, folder.workspace) });
  if (!workspace?.isDirectory()) throw malformed(folder.workspace, 'the folder that the agent gets, found none');
  return { data, directory: path };
}

/** Reads the certificate of a task's folder. @throws TadpoleError `invalid-input` as {@link readTask}. */
export async function readCertificate(directory: string): Promise<Certificate> {
  const path = resolve(directory);
  const file = taskFolder(path).certificate;
  await assertNoLinks(path);
  const text = await readText(file);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw malformed(file, `JSON, got: ${(cause as Error).message}`, cause);
  }
  return checked(certificateSchema, value, file);
}

/** A link would let a task show its solver, or grade it by, what is no part of it. */
async function assertNoLinks(directory: string): Promise<void> {
  for (const file of Object.values(taskFolder(directory))) {
    const names = relative(directory, file).split('/');
    for (let count = 1; count <= names.length; count += 1) {
      const path = names.slice(0, count).join('/');
      const found = await statInside({ directory, path });
      if (found?.isSymbolicLink()) throw malformed(join(directory, path), 'a file or folder of the task itself, got a link');
    }
  }
}

async function readText(file: string): Promise<string> {
  const text = await readBoundedFile({ path: file, bytes: longestFileBytes });
  if (typeof text === 'string') return text;
  throw malformed(file, `a readable file of ${longestFileBytes} bytes at most, got ${text === null ? 'none' : 'something else'}`);
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformed(place, `the form of a Tadpole task, got:\n${z.prettifyError(parsed.error)}`, parsed.error);
}
