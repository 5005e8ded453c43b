import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type Containment,
  containmentIdSchema,
  type OwnedSandbox,
  type SandboxEnvironment,
  type SandboxLimits,
  type SandboxProvider,
  TadpoleError,
} from '@tadpole/contracts';
import { assertEnvironment } from '../sandbox/assert-environment.js';
import { mountedInside } from '../sandbox/capture-patch.js';
import { requireProgram } from '../sandbox/find-program.js';
import { parseOpenRequest } from '../sandbox/parse-open-request.js';
import { runProgram } from '../sandbox/run-program.js';
import { createWorkspaceBases, type WorkspaceBase } from '../sandbox/workspace-base.js';
import { unsafeProcessSandbox } from './unsafe-process-sandbox.js';

/** Settings of {@link createUnsafeProcessProvider}. */
export interface UnsafeProcessProviderOptions {
  /** Folder for workspaces and their cached bases; made when absent. */
  readonly scratchDirectory: string;
  /** Clock in milliseconds. @default Date.now */
  readonly now?: () => number;
}

/** What is enforced where a process may not raise its own limits. */
const enforced = {
  'cpu-time': 'a resource limit of each process',
  'file-size': 'a resource limit of each process',
  'wall-time': 'the process group is killed',
  output: 'this process counts',
} as const;

/**
 * Not a sandbox: a copy of the workspace, and commands as plain processes of this user. **It contains next to nothing**: a
 * command reads and writes whatever this user may, reaches the network and can outlive its call. For code that you would
 * run yourself, on machines without namespaces or a container engine.
 *
 * Mounts appear as links beside the workspace and are not protected. Only file access by the sandbox's own methods knows
 * `workspacePath`; a command that names the workspace or a mount by its absolute path does not find it, so that test
 * executor and grader do not work over it.
 */
export function createUnsafeProcessProvider(options: UnsafeProcessProviderOptions): SandboxProvider & {
  /** Disposes every sandbox that is still open, for a process that ends early. */
  disposeAll(): Promise<void>;
} {
  const now = options.now ?? Date.now;
  const open = new Set<OwnedSandbox>();
  let bases: ReturnType<typeof createWorkspaceBases> | undefined;

  async function openSandbox(environment: SandboxEnvironment, limits: SandboxLimits): Promise<OwnedSandbox> {
    assertEnvironment(environment.env ?? {});
    mkdirSync(join(options.scratchDirectory, 'bases'), { recursive: true });
    const scratch = realpathSync(options.scratchDirectory);
    bases ??= createWorkspaceBases({ directory: join(scratch, 'bases'), git: requireProgram('git') });
    const base = await bases.prepare(resolve(environment.workspace), environment.workspaceKey);
    const directory = mkdtempSync(join(scratch, 'unsafe-'));
    const release = async () => {
      await removeFolder(directory);
      if (sandbox !== undefined) open.delete(sandbox);
    };
    let sandbox: OwnedSandbox | undefined;
    try {
      const workspacePath = environment.workspacePath ?? '/workspace';
      const workspace = layOut({ directory, base, workspacePath, environment });
      const temporary = join(directory, 'tmp');
      mkdirSync(temporary);
      const path = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];
      sandbox = unsafeProcessSandbox({
        ...{ id: directory.slice(scratch.length + 1), directory, workspace, workspacePath, limits, now, release },
        repository: join(base.tree, '.git'),
        mounted: mountedInside(environment, workspacePath),
        env: {
          PATH: [...new Set(path)].join(':'),
          ...{ HOME: temporary, TMPDIR: temporary, USER: 'agent', LANG: 'C.UTF-8', TZ: 'UTC' },
          ...environment.env,
        },
      });
      open.add(sandbox);
      return sandbox;
    } catch (error) {
      await release();
      throw error;
    }
  }

  return {
    async open({ signal, ...request }) {
      if (signal?.aborted)
        throw new TadpoleError({ code: 'aborted', message: 'the sandbox was not opened: its signal is aborted', cause: signal.reason });
      const { environment, limits } = parseOpenRequest(request);
      return openSandbox(environment, limits);
    },
    describe: async () => describeUnsafeProcess(),
    async disposeAll() {
      await Promise.all([...open].map((sandbox) => sandbox.dispose()));
    },
  };
}

/** Copies the base below the sandbox's folder, and links mounts at the same distance from it as inside a sandbox. */
function layOut(options: { directory: string; base: WorkspaceBase; workspacePath: string; environment: SandboxEnvironment }): string {
  const root = join(options.directory, 'root');
  const workspace = join(root, options.workspacePath);
  cpSync(options.base.tree, workspace, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const { readOnlyMounts = [], writableMounts = [] } = options.environment;
  for (const { source, target } of [...readOnlyMounts, ...writableMounts]) {
    const link = join(root, target);
    rmSync(link, { recursive: true, force: true });
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(source), link);
  }
  return workspace;
}

function describeUnsafeProcess(): Containment {
  const isRoot = process.getuid?.() === 0;
  const holds = (id: string): id is keyof typeof enforced => id in enforced && !(isRoot && (id === 'cpu-time' || id === 'file-size'));
  const why = 'a plain process of this user on this machine';
  return {
    provider: 'unsafe-process',
    enforced: containmentIdSchema.options.filter(holds).map((id) => ({ id, how: enforced[id] })),
    notEnforced: containmentIdSchema.options.filter((id) => !holds(id)).map((id) => ({ id, why })),
    notes: ['commands can do everything that this user can; never run code here that you would not run yourself'],
  };
}

async function removeFolder(directory: string): Promise<void> {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    await runProgram({ program: '/bin/chmod', arguments: ['-R', 'u+rwx', directory] });
    rmSync(directory, { recursive: true, force: true });
  }
}
