import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TadpoleError, type Task } from '@tadpole/contracts';
import { listTree, type TreeEntry } from '../hash-tree.js';
import { type PatchedRegions, patchedRegions } from './patched-regions.js';
import { statInside } from './stat-inside.js';
import { taskFolder } from './task-folder.js';

/** Below this a file is no test worth hiding: an empty `__init__.py`, a one-line stub. */
const telling = 64;

/**
 * Refuses a workspace from which an agent could read the answer: git history, a copy of a hidden test, a copy of the
 * task's `solution/`, or another file that already holds everything that the gold patch makes of one.
 *
 * Covered: copies under any name, byte for byte, and of a patched file by its changed regions. Not covered: minified or
 * otherwise transformed copies, archives, and what an image holds beside the workspace. Installed packages are the
 * dependency store's matter.
 *
 * @throws TadpoleError `invalid-input` that names the file and what it gives away.
 */
export async function assertNothingReachable(task: Task): Promise<void> {
  const folder = taskFolder(task.directory);
  await assertNoHistory(folder.workspace);
  const files = (await listTree(folder.workspace)).filter(({ kind }) => kind === 'file');
  const secrets = [...(await secretFiles(task)), ...(await answerFiles(folder.solution))];
  const sizes = new Set(secrets.map(({ content }) => content.length));
  const answers = existsSync(folder.goldPatch) ? await repairedFiles(folder) : [];
  for (const file of files) {
    if (answers.length === 0 && !sizes.has(file.bytes)) continue;
    const content = await readFile(join(folder.workspace, file.path));
    const copied = secrets.find((secret) => secret.content.equals(content));
    if (copied !== undefined) throw refuse(file.path, `is the same as ${copied.name}`);
    const text = answers.length === 0 ? '' : content.toString('utf8');
    const solved = answers.find((answer) => answer.file !== file.path && isRepaired(text, answer));
    if (solved !== undefined) throw refuse(file.path, `holds what solution/gold.patch makes of ${solved.file}`);
  }
}

interface RepairedFile extends PatchedRegions {
  /** Lines of the file as the agent gets it. */
  readonly lines: ReadonlySet<string>;
}

async function repairedFiles(folder: { goldPatch: string; workspace: string }): Promise<readonly RepairedFile[]> {
  const regions = patchedRegions(await readFile(folder.goldPatch, 'utf8'));
  return Promise.all(
    regions.map(async (region) => {
      const found = await statInside({ directory: folder.workspace, path: region.file });
      return { ...region, lines: textLines(found?.isFile() ? await readFile(join(folder.workspace, region.file), 'utf8') : '') };
    }),
  );
}

/** A copy of a repaired file has its changed regions and most of its other lines; a sibling of it may share a region. */
function isRepaired(text: string, answer: RepairedFile): boolean {
  if (!answer.hunks.every((hunk) => text.includes(hunk))) return false;
  const own = textLines(text);
  const shared = [...answer.lines].filter((line) => own.has(line)).length;
  return shared >= 0.8 * answer.lines.size;
}

function textLines(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );
}

async function assertNoHistory(workspace: string): Promise<void> {
  for (const entry of await readdir(workspace, { withFileTypes: true, recursive: true })) {
    if (entry.name === '.git')
      throw refuse(join(entry.parentPath, entry.name).slice(workspace.length + 1), 'may hold the history of the answer');
  }
}

interface Secret {
  readonly name: string;
  readonly content: Buffer;
}

/** Hidden files; of a script's folder only code, since its data may well be the workspace's own. */
async function secretFiles(task: Task): Promise<readonly Secret[]> {
  const folder = taskFolder(task.directory);
  if (task.data.verifier.kind === 'tests') return secretsIn(folder.hidden, 'tests/hidden', () => true);
  return secretsIn(folder.tests, 'tests', ({ path }) => /\.([cm]?[jt]sx?|py|sh|rb|go|rs|java|c|cc|cpp)$/.test(path));
}

async function answerFiles(solution: string): Promise<readonly Secret[]> {
  return secretsIn(solution, 'solution', () => true);
}

async function secretsIn(directory: string, label: string, isSecret: (entry: TreeEntry) => boolean): Promise<readonly Secret[]> {
  if (!existsSync(directory)) return [];
  const entries = (await listTree(directory)).filter((entry) => entry.kind === 'file' && entry.bytes >= telling && isSecret(entry));
  return Promise.all(entries.map(async ({ path }) => ({ name: `${label}/${path}`, content: await readFile(join(directory, path)) })));
}

function refuse(file: string, why: string): TadpoleError {
  return new TadpoleError({
    code: 'invalid-input',
    message: `expected a workspace that gives nothing away, but ${file} ${why}; take it out of environment/workspace`,
  });
}
