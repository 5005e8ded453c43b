import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OwnedSandbox, type SandboxLimits, TadpoleError } from '@tadpole/contracts';
import { createDependencyStore, createNamespaceProvider } from '@tadpole/task-runtime';
import { z } from 'zod';
import type { Files, TaskSource } from './read-task-source.js';

const limits: SandboxLimits = {
  ...{ processes: 96, memoryBytes: 2 ** 30, cpuSeconds: 60, timeoutMs: 60_000 },
  ...{ fileBytes: 2 ** 24, writtenBytes: 2 ** 28, writtenFiles: 50_000, outputBytes: 2 ** 17 },
};

/** One time for every commit that a case makes, so that its hash is always the same. */
const commitDate = '2026-03-02T09:00:00Z';

/** Where sandboxes of the corpus are opened, and what is removed with it. */
export interface Workbench {
  /** A fresh sandbox over a task's base tree. `outside` is mounted read-only by absolute path. */
  open(options: { task: TaskSource; outside?: Files }): Promise<OwnedSandbox>;
  close(): Promise<void>;
}

/** Where a task's tree stands inside. */
export function workspaceOf(topic: string): string {
  return `/workspace/${topic}`;
}

/** Opens real sandboxes over trees that are written to a temporary folder. */
export async function openWorkbench(): Promise<Workbench> {
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-corpus-'));
  const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const store = createDependencyStore({ nodeModules: join(root, 'node_modules'), into: join(folder, 'dependencies') });
  const manifest = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  await makeReachable(folder);
  const tools = join(folder, 'tools');
  await layDownTools(tools);
  const trees = new Map<string, Promise<string>>();
  let mounted = 0;

  async function baseTree(task: TaskSource): Promise<string> {
    const tree = join(folder, 'trees', task.topic);
    await writeFiles({ folder: tree, files: task.base });
    return tree;
  }

  return {
    async open({ task, outside = {} }) {
      const tree = trees.get(task.topic) ?? baseTree(task);
      trees.set(task.topic, tree);
      const place = join(folder, 'outside', String(mounted++));
      await writeFiles({ folder: place, files: outside });
      const names = [...new Set([...runnerPackages(task), ...task.packages])];
      const dependencies = names.map((name) => ({ name, version: manifest.devDependencies[name] ?? 'not-installed' }));
      const sandbox = await provider.open({
        environment: {
          workspace: await tree,
          workspacePath: workspaceOf(task.topic),
          readOnlyMounts: [
            { source: tools, target: '/opt/tools' },
            { source: npmFolder(), target: '/opt/npm' },
            ...(names.length === 0 ? [] : [{ source: await store.directoryFor(dependencies), target: '/node_modules' }]),
            ...Object.keys(outside).map((path) => ({ source: join(place, path), target: path })),
          ],
          env: {
            ...{ GIT_AUTHOR_DATE: commitDate, GIT_COMMITTER_DATE: commitDate, NO_COLOR: '1' },
            PATH: '/opt/tools/bin:/usr/local/bin:/usr/bin:/bin',
          },
        },
        limits,
      });
      // Where vite bundles a configuration; the packages themselves are read-only.
      if (task.runner === 'vitest') await sandbox.run({ command: 'mkdir -p node_modules' });
      return sandbox;
    },
    async close() {
      await provider.disposeAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function runnerPackages(task: TaskSource): readonly string[] {
  if (task.runner === 'vitest') return ['vitest', 'typescript'];
  return task.runner === 'tsx-test' ? ['tsx', 'typescript', '@types/node'] : [];
}

/** Where npm stands beside this Node.js; sandboxes do not show it by themselves. */
function npmFolder(): string {
  return join(dirname(process.execPath), '../lib/node_modules/npm');
}

/** Names that developers type and that the sandbox's own system lacks. */
async function layDownTools(folder: string): Promise<void> {
  const links = {
    python: '/usr/bin/python3',
    npm: '/opt/npm/bin/npm-cli.js',
    npx: '/opt/npm/bin/npx-cli.js',
    vitest: '/node_modules/vitest/vitest.mjs',
    tsc: '/node_modules/typescript/bin/tsc',
    tsx: '/node_modules/tsx/dist/cli.mjs',
  };
  await mkdir(join(folder, 'bin'), { recursive: true });
  for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, 'bin', name));
}

async function writeFiles(options: { folder: string; files: Files }): Promise<void> {
  await mkdir(options.folder, { recursive: true });
  for (const [path, text] of Object.entries(options.files)) {
    const file = join(options.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

async function makeReachable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  await stat(npmFolder()).catch((cause: Error) => {
    throw new TadpoleError({ code: 'missing-dependency', message: `expected npm beside Node.js at ${npmFolder()}, found none`, cause });
  });
}
