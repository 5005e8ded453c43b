import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { relativePathSchema, TadpoleError, type TaskData } from '@tadpole/contracts';
import { listTree } from '../hash-tree.js';

/** Files that are copied into a task's folder: paths relative to their own folder. */
export interface TaskFiles {
  readonly directory: string;
  readonly paths: readonly string[];
}

/** @throws TadpoleError `invalid-input` when a file that is to be copied is nowhere, or a hidden one is visible in the workspace. */
export async function checkTaskFiles(options: {
  data: TaskData;
  workspace: string;
  hiddenFiles: TaskFiles;
  solutionFiles?: TaskFiles;
}): Promise<void> {
  const { verifier } = options.data;
  const { directory, paths } = options.hiddenFiles;
  for (const [kind, files] of [
    ['hidden', options.hiddenFiles],
    ['solution', options.solutionFiles],
  ] as const) {
    for (const path of files?.paths ?? []) {
      if (!relativePathSchema.safeParse(path).success || !existsSync(join(files?.directory ?? '', path)))
        throw refuse(`${kind} file ${path} in ${files?.directory}`, 'none');
    }
  }
  if (verifier.kind === 'script') {
    if (!paths.includes('test.sh')) throw refuse('test.sh among the hidden files', 'none; it is what grades the task');
    return;
  }
  for (const path of paths) {
    const shown = await firstShown({ hidden: join(directory, path), visible: join(options.workspace, path) });
    if (shown !== undefined)
      throw refuse(`a workspace without the hidden ${path}`, 'one that shows it to the agent; remove it from the workspace');
  }
  for (const file of verifier.testFiles) {
    if (!existsSync(join(directory, file)) && !existsSync(join(options.workspace, file)))
      throw refuse(`the test file ${file}`, 'none, neither hidden nor in the workspace');
  }
}

/** The first hidden file that stands at its place in the workspace with the same, non-empty content; an older version may. */
async function firstShown(options: { hidden: string; visible: string }): Promise<string | undefined> {
  const { hidden, visible } = options;
  if (!existsSync(visible)) return undefined;
  const isFolder = !(await isFile(hidden));
  const files = isFolder ? (await listTree(hidden)).map(({ path }) => path) : [''];
  for (const file of files) {
    const [own, shown] = [join(hidden, file), join(visible, file)];
    if (!(await isFile(own)) || !(await isFile(shown))) continue;
    const content = await readFile(own);
    if (content.length > 0 && content.equals(await readFile(shown))) return file;
  }
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  return existsSync(path) && (await stat(path)).isFile();
}

function refuse(expected: string, got: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `expected ${expected}, got ${got}` });
}
