import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Certificate, certificateSchema, TadpoleError, type Task, taskDataSchema } from '@tadpole/contracts';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { taskFolder } from './task-folder.js';

const manifestSchema = z.object({
  schema_version: z.string().optional(),
  // The older spelling of the same key.
  version: z.string().optional(),
  metadata: z.object({ tadpole: z.record(z.string(), z.unknown()) }),
});

/**
 * Reads a task from its Harbor folder. @throws TadpoleError `invalid-input` that names the file and what is wrong with
 * it: absent, no TOML, written by another program (no `[metadata.tadpole]`), or not of the expected form.
 */
export async function readTask(directory: string): Promise<Task> {
  const folder = taskFolder(resolve(directory));
  const text = await readText(folder.manifest);
  const instruction = await readText(folder.instruction);
  const manifest = checked(
    manifestSchema,
    parsedAs('TOML', folder.manifest, () => parse(text)),
    folder.manifest,
  );
  const version = manifest.schema_version ?? manifest.version ?? '1.0';
  if (!version.startsWith('1.')) throw malformed(folder.manifest, `a schema version 1.x, got ${version}`);
  const data = checked(taskDataSchema, { ...manifest.metadata.tadpole, instruction }, folder.manifest);
  if (!existsSync(folder.workspace)) throw malformed(folder.workspace, 'the folder that the agent gets, found none');
  return { data, directory: resolve(directory) };
}

/** Reads the certificate of a task's folder. @throws TadpoleError `invalid-input` as {@link readTask}. */
export async function readCertificate(directory: string): Promise<Certificate> {
  const file = taskFolder(resolve(directory)).certificate;
  const text = await readText(file);
  return checked(
    certificateSchema,
    parsedAs('JSON', file, () => JSON.parse(text)),
    file,
  );
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw malformed(file, `a readable file, got: ${(cause as Error).message}`, cause);
  }
}

function parsedAs(format: string, file: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (cause) {
    throw malformed(file, `${format}, got: ${(cause as Error).message}`, cause);
  }
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, file: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformed(file, `the form of a Tadpole task, got:\n${z.prettifyError(parsed.error)}`, parsed.error);
}

function malformed(file: string, expected: string, cause?: unknown): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `expected at ${file} ${expected}`, cause });
}
