import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Certificate, certificateSchema, type SandboxLimits, type Task, taskDataSchema } from '@tadpole/contracts';
import { z } from 'zod';
import { assertSingleStep, foreignTaskData, foreignTaskLimits } from './foreign-task.js';
import { malformed, parseHarborManifest } from './harbor-manifest.js';
import { taskFolder } from './task-folder.js';

/**
 * Reads a task from its Harbor folder, schemas 1.0 to 1.4 with their older spellings.
 *
 * A folder that {@link writeTask} made is read from `[metadata.tadpole]` alone. One of another program becomes a task
 * with a `script` verifier; `lineage.notCarried` lists every key and file of it that has no place in a task, so that
 * nothing is lost silently (the folder stays as it is). Its files must stand in `environment/workspace` to be opened.
 *
 * @param options.limits - bounds for what a foreign folder does not say, over {@link foreignTaskLimits}
 * @throws TadpoleError `invalid-input` that names the file, the line or key, and what was expected; `unsupported` for a
 * multi-step task, a separate verifier or Windows.
 */
export async function readTask(directory: string, options: { limits?: Partial<SandboxLimits> } = {}): Promise<Task> {
  const path = resolve(directory);
  const folder = taskFolder(path);
  const manifest = parseHarborManifest({ text: await readText(folder.manifest), file: folder.manifest });
  const own = manifest.metadata?.tadpole;
  if (own === undefined) assertSingleStep({ directory: path, manifest });
  const instruction = await readText(folder.instruction);
  if (own === undefined) {
    const limits = { ...foreignTaskLimits, ...options.limits };
    return { data: foreignTaskData({ directory: path, manifest, instruction, limits }), directory: path };
  }
  const data = checked(taskDataSchema, { ...own, instruction }, `${folder.manifest} [metadata.tadpole]`);
  if (!existsSync(folder.workspace)) throw malformed(folder.workspace, 'the folder that the agent gets, found none');
  return { data, directory: path };
}

/** Reads the certificate of a task's folder. @throws TadpoleError `invalid-input` as {@link readTask}. */
export async function readCertificate(directory: string): Promise<Certificate> {
  const file = taskFolder(resolve(directory)).certificate;
  const text = await readText(file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed(file, `JSON, got: ${(cause as Error).message}`, cause);
  }
  return checked(certificateSchema, value, file);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw malformed(file, `a readable file, got: ${(cause as Error).message}`, cause);
  }
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformed(place, `the form of a Tadpole task, got:\n${z.prettifyError(parsed.error)}`, parsed.error);
}
