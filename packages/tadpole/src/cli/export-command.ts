import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TadpoleError, type Task } from '@tadpole/contracts';
import { type ExportSettings, exportPrimeRl, exportSkyrl, exportVerl } from '@tadpole/dppo-trainer';
import { leafProfile } from '@tadpole/leaf-harness';
import { readTask } from '@tadpole/task-runtime';
import { writeWhole, writing } from '../run/write-whole.js';

const exporters = { 'prime-rl': exportPrimeRl, verl: exportVerl, skyrl: exportSkyrl } as const;

/** Engines that `tadpole export` writes for. */
export const exportEngines = Object.keys(exporters) as readonly (keyof typeof exporters)[];

/** Flags of `tadpole export`. */
export interface ExportFlags {
  readonly to: keyof typeof exporters;
  readonly out: string;
  readonly model: string;
  readonly divergence?: 'tv' | 'kl';
  readonly groups?: number;
  readonly groupSize?: number;
  readonly updates?: number;
  readonly contextTokens?: number;
  readonly json?: boolean;
}

/**
 * `tadpole export`: the tasks of a run, of a synthesis or of a folder as rows of another engine, with its configuration; prints the
 * launch line. What stands in the folder under the same names is replaced.
 *
 * @throws TadpoleError `invalid-input`, `invalid-config`, `unsupported`, `storage`.
 */
export async function exportTasks(folder: string, flags: ExportFlags): Promise<void> {
  const directory = resolve(flags.out);
  const { files, launch, notes } = exporters[flags.to]({
    tasks: await readTasks(resolve(folder)),
    systemPrompt: leafProfile().systemPrompt,
    directory,
    settings: settingsOf(flags),
  });
  writing(directory, () => mkdirSync(directory, { recursive: true }));
  const written = files.map(({ name, text }) => {
    const path = join(directory, name);
    writeWhole({ path, content: text });
    return path;
  });
  if (flags.json) process.stdout.write(`${JSON.stringify({ engine: flags.to, files: written, launch, notes })}\n`);
  else process.stdout.write([...written.map((path) => `wrote ${path}`), ...notes.map((note) => `note: ${note}`), launch, ''].join('\n'));
}

/** One task, the tasks below a folder, or those below its `tasks`, by the names of their folders. */
async function readTasks(folder: string): Promise<readonly Task[]> {
  if (existsSync(join(folder, 'task.toml'))) return [await readTask(folder)];
  const home = [join(folder, 'tasks'), folder].find(existsSync);
  const names = home === undefined ? [] : readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = names.map(({ name }) => join(home ?? folder, name)).filter((path) => existsSync(join(path, 'task.toml')));
  if (folders.length === 0) {
    const message = `Expected tasks (folders with a task.toml) below ${folder} or its tasks folder, found none.`;
    throw new TadpoleError({ code: 'invalid-input', message });
  }
  const tasks: Task[] = [];
  for (const path of folders.sort()) tasks.push(await readTask(path));
  return tasks;
}

function settingsOf({ model, divergence, groups, groupSize, updates, contextTokens }: ExportFlags): ExportSettings {
  return {
    model,
    ...(divergence === undefined ? {} : { divergence }),
    ...(groups === undefined ? {} : { groups }),
    ...(groupSize === undefined ? {} : { groupSize }),
    ...(updates === undefined ? {} : { updates }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
  };
}
