import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { relativePathSchema, TadpoleError, type TaskData, type TestsVerifier } from '@tadpole/contracts';
import { listTree } from '../hash-tree.js';
import { lintTestIds } from './lint-test-ids.js';
import { statInside } from './stat-inside.js';

/** Files and folders that are copied into a task's folder: paths relative to their own folder, none of them behind a link. */
export interface TaskFiles {
  readonly directory: string;
  readonly paths: readonly string[];
}

/**
 * @throws TadpoleError `invalid-input` when a file that is to be copied is nowhere or a link, a hidden one is visible in the
 *   workspace, or a named test has an id that its runner cannot report or that is named twice.
 */
export async function checkTaskFiles(options: {
  data: TaskData;
  workspace: string;
  hiddenFiles: TaskFiles;
  solutionFiles?: TaskFiles;
}): Promise<void> {
  const { verifier } = options.data;
  const { directory, paths } = options.hiddenFiles;
  await assertStand({ kind: 'hidden', files: options.hiddenFiles });
  if (options.solutionFiles !== undefined) await assertStand({ kind: 'solution', files: options.solutionFiles });
  if (verifier.kind === 'script') {
    if (!paths.includes('test.sh')) throw refuse('test.sh among the hidden files', 'none; it is what grades the task');
    return;
  }
  assertEmittable(verifier);
  for (const path of paths) {
    const shown = await firstShown({ path, hidden: directory, visible: options.workspace });
    if (shown !== undefined)
      throw refuse(`a workspace without the hidden ${path}`, 'one that shows it to the agent; remove it from the workspace');
  }
  for (const file of verifier.testFiles) {
    const found = await Promise.all([directory, options.workspace].map((place) => statInside({ directory: place, path: file })));
    if (!found.some((stats) => stats?.isFile() || stats?.isDirectory()))
      throw refuse(`the test file ${file}`, 'none, neither hidden nor in the workspace');
  }
}

/** A named test that no report can hold would never pass, whatever the agent does. */
function assertEmittable({ runner, failToPass, passToPass }: TestsVerifier): void {
  const [first] = lintTestIds({ ids: [...failToPass, ...passToPass], runner });
  if (first !== undefined) throw refuse(`test ids that ${runner} reports`, `${JSON.stringify(first.id)}: ${first.problem}`);
}

async function assertStand(options: { kind: string; files: TaskFiles }): Promise<void> {
  const { kind, files } = options;
  for (const path of files.paths) {
    const expected = `the ${kind} file ${path} in ${files.directory}`;
    const found = relativePathSchema.safeParse(path).success ? await statInside({ directory: files.directory, path }) : undefined;
    if (found === undefined) throw refuse(expected, 'none, or one behind a link');
    if (!found.isFile() && !found.isDirectory()) throw refuse(expected, 'a link or a device');
  }
}

/** The first hidden file that stands at its place in the workspace with the same, non-empty content; an older version may. */
async function firstShown(options: { path: string; hidden: string; visible: string }): Promise<string | undefined> {
  const { path, hidden, visible } = options;
  const isFolder = !(await isFile(hidden, path));
  const files = isFolder ? (await listTree(join(hidden, path))).map((entry) => `${path}/${entry.path}`) : [path];
  for (const file of files) {
    if (!(await isFile(hidden, file)) || !(await isFile(visible, file))) continue;
    const content = await readFile(join(hidden, file));
    if (content.length > 0 && content.equals(await readFile(join(visible, file)))) return file;
  }
  return undefined;
}

async function isFile(directory: string, path: string): Promise<boolean> {
  return (await statInside({ directory, path }))?.isFile() ?? false;
}

function refuse(expected: string, got: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `expected ${expected}, got ${got}` });
}
