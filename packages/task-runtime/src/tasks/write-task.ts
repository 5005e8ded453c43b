import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  type Certificate,
  certificateSchema,
  TadpoleError,
  type Task,
  type TaskData,
  type TestsVerifier,
  taskDataSchema,
} from '@tadpole/contracts';
import { z } from 'zod';
import { assetsDirectory } from '../assets-directory.js';
import { restoredPaths } from '../grading/grade-by-tests.js';
import { testRunner } from '../grading/test-runners.js';
import { listTree } from '../hash-tree.js';
import { checkTaskFiles, type TaskFiles } from './check-task-files.js';
import { assertApplies } from './git-tree.js';
import { dockerfile, solveScript, taskManifest, testScript } from './harbor-files.js';
import { makeReadable } from './make-readable.js';
import { readTask } from './read-task.js';
import { statInside } from './stat-inside.js';
import { taskFolder } from './task-folder.js';

/**
 * Writes a task as a folder in Harbor layout (formats.md section 3.1): a folder that Harbor can run as it is, with the
 * typed task in `[metadata.tadpole]`. Atomic: a reader sees the whole folder or none; an older one of that id is replaced,
 * and of several calls at once the last one stays. No link is followed: those inside of folders are copied as they are.
 *
 * @returns the task with its folder `<into>/<id>`.
 * @throws TadpoleError `invalid-input` when a hidden file is visible in the workspace, a named test file or `test.sh` is
 * nowhere or a link, the gold patch does not apply to the workspace, the data does not have the expected form, or an import of another instance stands under that id;
 * `storage` when the folder cannot be written.
 */
export async function writeTask(options: {
  data: z.input<typeof taskDataSchema>;
  /** Folder whose content the agent gets; copied without `.git`. */
  workspace: string;
  /**
   * Files and folders for the grader alone, relative to `directory`. For a `tests` verifier they keep their paths in the
   * workspace; for a `script` verifier they are the content of `tests/`, `test.sh` among them.
   */
  hiddenFiles: TaskFiles;
  /** @default none: the task has no answer as a patch */
  goldPatch?: string;
  /** Further files of `solution/`, such as a foreign `solve.sh`. @default none */
  solutionFiles?: TaskFiles;
  /** @default one that is made from the environment */
  dockerfile?: string;
  /** @default none is written */
  certificate?: Certificate;
  /** Folder of task folders. */
  into: string;
}): Promise<Task> {
  const data = parse({ schema: taskDataSchema, value: options.data, name: "a task's data" });
  const certificate =
    options.certificate === undefined ? undefined : parse({ schema: certificateSchema, value: options.certificate, name: 'a certificate' });
  await checkTaskFiles({ ...options, data });
  const workspace = await realWorkspace(options.workspace);
  if (options.goldPatch) await assertApplies({ directory: workspace, patch: options.goldPatch, name: 'the gold patch' });
  const directory = join(resolve(options.into), data.id);
  await assertSameInstance({ data, directory });
  let scratch: string | undefined;
  try {
    await mkdir(options.into, { recursive: true });
    scratch = await mkdtemp(join(resolve(options.into), `.draft-${data.id}-`));
    const draft = join(scratch, 'task');
    await writeFolder({ ...options, data, certificate, workspace, directory: draft });
    for (let old = 0; !(await isMoved({ from: draft, to: directory, unless: 'ENOTEMPTY' })); old += 1)
      await isMoved({ from: directory, to: join(scratch, `old-${old}`), unless: 'ENOENT' });
  } catch (cause) {
    if (cause instanceof TadpoleError) throw cause;
    throw new TadpoleError({
      code: 'storage',
      message: `expected to write the task folder ${directory}, got: ${(cause as Error).message}`,
      cause,
    });
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
  return { data, directory };
}

/** False where another call of the same id has just put its folder there, or taken it away. */
async function isMoved(options: { from: string; to: string; unless: string }): Promise<boolean> {
  return rename(options.from, options.to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === options.unless) return false;
      throw error;
    },
  );
}

/** Names of other systems can meet in one id, since an id has no capitals: the second import would replace the first. */
async function assertSameInstance(options: { data: TaskData; directory: string }): Promise<void> {
  const { data, directory } = options;
  const older = existsSync(directory) ? await readTask(directory).catch(() => undefined) : undefined;
  const [mine, its] = [data.lineage, older?.data.lineage];
  if (mine.kind !== 'imported' || its?.kind !== 'imported' || mine.instanceId === its.instanceId) return;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `expected no other instance of the id ${data.id} than ${mine.instanceId}, got ${its.instanceId} at ${directory}; write it into another folder`,
  });
}

async function writeFolder(options: {
  data: TaskData;
  workspace: string;
  hiddenFiles: TaskFiles;
  goldPatch?: string;
  solutionFiles?: TaskFiles;
  dockerfile?: string;
  certificate: Certificate | undefined;
  directory: string;
}): Promise<void> {
  const { data, hiddenFiles, solutionFiles, goldPatch, certificate } = options;
  const folder = taskFolder(options.directory);
  await copy(options.workspace, folder.workspace);
  await mkdir(folder.tests, { recursive: true });
  const hidden = data.verifier.kind === 'tests' ? folder.hidden : folder.tests;
  for (const path of hiddenFiles.paths) await copy(join(hiddenFiles.directory, path), join(hidden, path));
  if (data.verifier.kind === 'tests') await writeGrading({ ...options, verifier: data.verifier });
  for (const path of solutionFiles?.paths ?? []) await copy(join(solutionFiles?.directory ?? '', path), join(folder.solution, path));
  if (goldPatch !== undefined) {
    await mkdir(folder.solution, { recursive: true });
    for (const [file, text] of [
      [folder.goldPatch, goldPatch],
      [folder.solveScript, solveScript(data)],
    ] as const) {
      // What the solution's own files laid there may be a link.
      await rm(file, { force: true });
      await writeFile(file, text);
    }
  }
  await writeFile(folder.dockerfile, options.dockerfile ?? dockerfile(data));
  await writeFile(folder.instruction, data.instruction);
  await writeFile(folder.manifest, taskManifest(data));
  if (certificate !== undefined) await writeFile(folder.certificate, `${JSON.stringify(certificate, null, 2)}\n`);
  for (const script of ['tests/test.sh', 'solution/solve.sh']) {
    const found = await statInside({ directory: options.directory, path: script });
    if (found?.isFile()) await chmod(join(options.directory, script), 0o755);
  }
  await makeReadable(options.directory);
}

/** What the folder's own `test.sh` grades named tests with: the files it restores, the runner, and what it runs. */
async function writeGrading(options: { data: TaskData; verifier: TestsVerifier; workspace: string; directory: string }): Promise<void> {
  const { data, verifier } = options;
  const folder = taskFolder(options.directory);
  const baseFiles = (await listTree(folder.workspace)).map(({ path }) => path);
  const hiddenFiles = existsSync(folder.hidden) ? (await listTree(folder.hidden)).map(({ path }) => path) : [];
  const names = baseFiles.filter((path) => basename(path) === 'package.json');
  for (const path of new Set([...restoredPaths({ verifier, baseFiles }), ...names])) {
    const found = await statInside({ directory: options.workspace, path });
    if (found !== undefined) await copy(join(options.workspace, path), join(folder.protected, path));
  }
  const { files } = testRunner({ runner: verifier.runner, assets: '' });
  for (const name of ['harbor-grade.mjs', 'runners.json', ...files]) {
    await copy(join(assetsDirectory(), name), join(folder.tests, 'runner', name));
  }
  const { runner, testFiles, failToPass, passToPass, configFile, timeoutMs } = verifier;
  const graded = { runner, testFiles, failToPass, passToPass, configFile, timeoutMs, workspace: data.environment.workspacePath };
  await writeFile(folder.verifier, `${JSON.stringify(graded, null, 2)}\n`);
  await writeFile(folder.testScript, testScript({ data, verifier, hiddenFiles, baseFiles }));
}

async function realWorkspace(folder: string): Promise<string> {
  try {
    const workspace = await realpath(folder);
    await readdir(workspace);
    return workspace;
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `expected a workspace folder at ${folder}, got: ${(cause as Error).message}`,
      cause,
    });
  }
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: (path) => basename(path) !== '.git' });
}

function parse<Schema extends z.ZodType>(options: { schema: Schema; value: unknown; name: string }): z.output<Schema> {
  const parsed = options.schema.safeParse(options.value);
  if (parsed.success) return parsed.data;
  const message = `expected ${options.name} of its form, got: ${z.prettifyError(parsed.error)}`;
  throw new TadpoleError({ code: 'invalid-input', message, cause: parsed.error });
}
