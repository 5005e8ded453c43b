import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  type Certificate,
  certificateSchema,
  relativePathSchema,
  TadpoleError,
  type Task,
  type TaskData,
  taskDataSchema,
} from '@tadpole/contracts';
import type { z } from 'zod';
import { assetsDirectory } from './assets-directory.js';
import { dockerfile, solveScript, taskManifest, testScript } from './harbor-files.js';
import { listTree } from './hash-tree.js';
import { taskFolder } from './task-folder.js';

const runnerFiles = {
  'node-test': ['node-test-reporter.mjs', 'node-test-runner.mjs'],
  tape: ['tape-runner.cjs'],
  mocha: ['mocha-runner.cjs'],
} as const;

/**
 * Writes a task as a folder in Harbor layout (formats.md section 3.1): a folder that Harbor can run as it is, with the
 * typed task in `[metadata.tadpole]`. Atomic: a reader sees the whole folder or none; an older one of that id is replaced.
 *
 * @returns the task with its folder `<into>/<id>`.
 * @throws TadpoleError `invalid-input` when a hidden file is visible in the workspace, a named test file is nowhere, or
 * the data does not have the expected form; `storage` when the folder cannot be written.
 */
export async function writeTask(options: {
  data: z.input<typeof taskDataSchema>;
  /** Folder whose content the agent gets; copied without `.git`. */
  workspace: string;
  /** Files and folders for the grader alone, relative to `directory`; they keep their paths in the workspace. */
  hiddenFiles: { directory: string; paths: readonly string[] };
  goldPatch: string;
  certificate: Certificate;
  /** Folder of task folders. */
  into: string;
}): Promise<Task> {
  const data = parseData(options.data);
  const certificate = certificateSchema.parse(options.certificate);
  checkHidden({ ...options, data });
  const directory = join(resolve(options.into), data.id);
  const draft = join(resolve(options.into), `.draft-${data.id}-${process.pid}`);
  try {
    await rm(draft, { recursive: true, force: true });
    await writeFolder({ ...options, data, certificate, directory: draft });
    const old = `${draft}-old`;
    if (existsSync(directory)) await rename(directory, old);
    await rename(draft, directory);
    await rm(old, { recursive: true, force: true });
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    if (cause instanceof TadpoleError) throw cause;
    throw new TadpoleError({
      code: 'storage',
      message: `expected to write the task folder ${directory}, got: ${(cause as Error).message}`,
      cause,
    });
  }
  return { data, directory };
}

async function writeFolder(options: {
  data: TaskData;
  workspace: string;
  hiddenFiles: { directory: string; paths: readonly string[] };
  goldPatch: string;
  certificate: Certificate;
  directory: string;
}): Promise<void> {
  const { data } = options;
  const folder = taskFolder(options.directory);
  const copy = async (from: string, to: string) => {
    await mkdir(dirname(to), { recursive: true });
    await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: (path) => basename(path) !== '.git' });
  };
  await copy(options.workspace, folder.workspace);
  await mkdir(folder.tests, { recursive: true });
  await mkdir(dirname(folder.goldPatch), { recursive: true });
  for (const path of options.hiddenFiles.paths) await copy(join(options.hiddenFiles.directory, path), join(folder.hidden, path));
  for (const path of data.verifier.protectedPaths) {
    const source = join(options.workspace, path);
    if (existsSync(source)) await copy(source, join(folder.tests, 'protected', path));
  }
  for (const name of ['report-channel.cjs', 'harbor-grade.mjs', ...runnerFiles[data.verifier.runner]]) {
    await copy(join(assetsDirectory(), name), join(folder.tests, 'runner', name));
  }
  const hiddenFiles = existsSync(folder.hidden) ? (await listTree(folder.hidden)).map(({ path }) => path) : [];
  const { runner, testFiles, failToPass, passToPass, timeoutMs } = data.verifier;
  const verifier = { runner, testFiles, failToPass, passToPass, timeoutMs, workspace: data.environment.workspacePath };
  await writeFile(folder.verifier, `${JSON.stringify(verifier, null, 2)}\n`);
  await writeFile(folder.testScript, testScript({ data, hiddenFiles }));
  await writeFile(folder.solveScript, solveScript(data));
  await writeFile(folder.goldPatch, options.goldPatch);
  await writeFile(folder.dockerfile, dockerfile(data));
  await writeFile(folder.instruction, data.instruction);
  await writeFile(folder.manifest, taskManifest(data));
  await writeFile(folder.certificate, `${JSON.stringify(options.certificate, null, 2)}\n`);
  for (const script of [folder.testScript, folder.solveScript]) await chmod(script, 0o755);
}

function checkHidden(options: { data: TaskData; workspace: string; hiddenFiles: { directory: string; paths: readonly string[] } }): void {
  const { directory, paths } = options.hiddenFiles;
  for (const path of paths) {
    if (!relativePathSchema.safeParse(path).success || !existsSync(join(directory, path)))
      throw refuse(`hidden file ${path} in ${directory}`, 'none');
    if (existsSync(join(options.workspace, path)))
      throw refuse(`a workspace without the hidden ${path}`, 'one that shows it to the agent; remove it from the workspace');
  }
  for (const file of options.data.verifier.testFiles) {
    if (!existsSync(join(directory, file)) && !existsSync(join(options.workspace, file)))
      throw refuse(`the test file ${file}`, 'none, neither hidden nor in the workspace');
  }
}

function parseData(data: unknown): TaskData {
  const parsed = taskDataSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new TadpoleError({ code: 'invalid-input', message: `expected a task's data, got: ${parsed.error.message}`, cause: parsed.error });
}

function refuse(expected: string, got: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `expected ${expected}, got ${got}` });
}
