import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AuditTask, OwnedSandbox, SandboxLimits } from '@tadpole/contracts';
import { type AuditWorkbench, type TaskRunner, taskRunner } from '@tadpole/reward-hack-auditor';
import { createDependencyStore, createNamespaceProvider } from '@tadpole/task-runtime';
import { z } from 'zod';
import { findNodeModules } from '../cli/find-node-modules.js';
import { createAuditBench } from './audit-bench.js';
import { runnerPackages } from './runner-commands.js';

const limits: SandboxLimits = {
  ...{ processes: 96, memoryBytes: 2 ** 30, cpuSeconds: 30, timeoutMs: 60_000 },
  ...{ fileBytes: 2 ** 24, writtenBytes: 2 ** 28, writtenFiles: 50_000, outputBytes: 2 ** 22 },
};

/**
 * The auditor's workbench over sandboxes of this machine, without network: pytest and python3 from the system; Node.js' own
 * runner, vitest, jest, mocha, tape and the packages that a task's `package.json` or imports name from an installed `node_modules`.
 *
 * @throws TadpoleError `missing-dependency` when there is no installed `node_modules` or no sandbox can be had.
 */
export async function createAuditWorkbench(
  options: {
    /** Where packages are taken from. @default the nearest installed one above this package */
    nodeModules?: string;
  } = {},
): Promise<AuditWorkbench> {
  const { nodeModules = findNodeModules() } = options;
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-audit-'));
  await chmod(folder, 0o755);
  const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
  const store = createDependencyStore({ nodeModules, into: join(folder, 'dependencies') });
  const tools = join(folder, 'tools');
  await layDownTools(tools);
  const npm = join(dirname(process.execPath), '../lib/node_modules/npm');
  const trees = new Map<string, Promise<string>>();

  function baseTree(task: AuditTask): Promise<string> {
    const key = createHash('sha256')
      .update(JSON.stringify([...task.files]))
      .digest('hex');
    const tree = trees.get(key) ?? writeTree({ folder: join(folder, 'trees', key), files: task.files });
    trees.set(key, tree);
    return tree;
  }

  async function openSandbox(task: AuditTask, runner: TaskRunner, signal: AbortSignal | undefined): Promise<OwnedSandbox> {
    const workspace = await baseTree(task);
    const dependencies = installedPackages({ nodeModules, names: [...runnerPackages(runner), ...namedPackages(task)] });
    return provider.open({
      environment: {
        workspace,
        workspacePath: task.workspacePath,
        readOnlyMounts: [
          { source: tools, target: '/opt/tools' },
          ...(existsSync(npm) ? [{ source: npm, target: '/opt/npm' }] : []),
          ...(dependencies.length === 0 ? [] : [{ source: await store.directoryFor(dependencies), target: '/node_modules' }]),
        ],
        env: { NO_COLOR: '1', PATH: '/opt/tools/bin:/usr/local/bin:/usr/bin:/bin' },
      },
      limits,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  return {
    async open({ task, patch, signal }) {
      const runner = taskRunner(task);
      const sandbox = await openSandbox(task, runner, signal);
      try {
        // Where vite bundles a configuration; the packages themselves are read-only.
        if (runner === 'vitest') await sandbox.run({ command: 'mkdir -p node_modules' });
        const applied =
          patch === '' ? 0 : (await sandbox.run({ command: 'git apply --recount --whitespace=nowarn', stdin: patch })).exitCode;
        if (applied === 0) return createAuditBench({ sandbox, runner, signal });
      } catch (error) {
        await sandbox.dispose();
        throw error;
      }
      await sandbox.dispose();
      return undefined;
    },
    async close() {
      await provider.disposeAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Packages that a task's manifest or its hidden tests name. */
function namedPackages(task: AuditTask): readonly string[] {
  const manifest = task.files.get('package.json') ?? '{}';
  const listed = [...manifest.matchAll(/"((?:@[\w.-]+\/)?[\w.-]+)"\s*:\s*"[\^~]?\d[^"]*"/g)].map(([, name = '']) => name);
  const tests = [...task.hiddenTests.values()].join('\n');
  const imported = [...tests.matchAll(/(?:from|import|require\()\s*['"]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'"]*)?['"]/g)].map(
    ([, name = '']) => name,
  );
  return [...listed, ...imported].filter((name) => !name.startsWith('.') && !task.projectNames?.includes(name));
}

const versionSchema = z.object({ version: z.string() });

function installedPackages(options: { nodeModules: string; names: readonly string[] }): readonly { name: string; version: string }[] {
  return [...new Set(options.names)].flatMap((name) => {
    const manifest = join(options.nodeModules, name, 'package.json');
    if (!existsSync(manifest)) return [];
    const parsed = versionSchema.safeParse(JSON.parse(readFileSync(manifest, 'utf8')));
    return parsed.success ? [{ name, version: parsed.data.version }] : [];
  });
}

/** Names that tests call and that the sandbox's own system lacks. */
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

async function writeTree(options: { folder: string; files: ReadonlyMap<string, string> }): Promise<string> {
  await mkdir(options.folder, { recursive: true });
  for (const [path, text] of options.files) {
    const file = join(options.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return options.folder;
}
