import { mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { type OwnedSandbox, type SandboxEnvironment, type SandboxLimits, type SandboxProvider, sandboxLimitsSchema, TadpoleError } from '@tadpole/contracts';
import { type ControlGroup, createControlGroup } from './control-group.js';
import { describeNamespaceHost } from './describe-namespace-host.js';
import { insideId } from './bubblewrap-launcher.js';
import type { Mount } from './launcher.js';
import { findNamespaceHost, type NamespaceHost } from './namespace-host.js';
import { assertEnvironment, namespaceSandbox } from './namespace-sandbox.js';
import { removeSandboxFolder } from './remove-sandbox-folder.js';
import { openSandboxStorage } from './sandbox-storage.js';
import { accountFiles, networkMounts, runtimeFolder, systemView } from './system-view.js';
import { createWorkspaceBases } from './workspace-base.js';

/** Settings of {@link createNamespaceProvider}. */
export interface NamespaceProviderOptions {
  /** Folder for workspaces and their cached bases; made when absent. On a tmpfs or a fast disk, with room for what tasks write. */
  readonly scratchDirectory: string;
  /** @default `bwrap` in the system's folders */
  readonly bubblewrapPath?: string;
  /** @default bubblewrap where installed, otherwise unshare */
  readonly launcher?: 'bubblewrap' | 'unshare';
  /** Unprivileged user and group id that commands run as when this process is root; no account is needed. @default 63210 */
  readonly userId?: number;
  /** Label of the sandboxes' folders. @default '' */
  readonly runId?: string;
  /** Clock in milliseconds. @default Date.now */
  readonly now?: () => number;
}

/**
 * The embedded sandbox: Linux namespaces by bubblewrap or, without it, by unshare of util-linux. No daemon, no image,
 * no root needed. Each command is one process tree in fresh namespaces over a copy-on-write workspace; it sees `/usr`
 * read-only, a private `/tmp`, no network and no environment of this process.
 *
 * Not covered: kernel exploits (no seccomp filter), the size of a workspace as a whole, disk bandwidth; memory is bounded
 * per process where no control group can be made. `describe()` says what holds on this machine.
 */
export function createNamespaceProvider(options: NamespaceProviderOptions): SandboxProvider & {
  /** Disposes every sandbox that is still open, for a process that ends early. */
  disposeAll(): Promise<void>;
} {
  const now = options.now ?? Date.now;
  const open = new Set<OwnedSandbox>();
  let machine: Promise<{ host: NamespaceHost; bases: ReturnType<typeof createWorkspaceBases> }> | undefined;

  function prepare() {
    machine ??= (async () => {
      const { launcher, bubblewrapPath } = options;
      const host = await findNamespaceHost({
        scratchDirectory: resolve(options.scratchDirectory),
        userId: options.userId ?? 63_210,
        ...(launcher === undefined ? {} : { launcher }),
        ...(bubblewrapPath === undefined ? {} : { bubblewrapPath }),
      });
      const directory = join(host.scratchDirectory, 'bases');
      mkdirSync(directory, { recursive: true, mode: 0o755 });
      return { host, bases: createWorkspaceBases({ directory, git: host.git, ...(host.owner === undefined ? {} : { owner: host.owner }) }) };
    })();
    machine.catch(() => {
      machine = undefined;
    });
    return machine;
  }

  const provider: SandboxProvider & { disposeAll(): Promise<void> } = {
    async open({ environment, limits: given, network = 'none', signal }) {
      if (signal?.aborted) throw new TadpoleError({ code: 'aborted', message: 'the sandbox was not opened: its signal is aborted', cause: signal.reason });
      const limits = parseLimits(given);
      assertEnvironment(environment.env ?? {});
      const { host, bases } = await prepare();
      const base = await bases.prepare(resolve(environment.workspace));
      const view = systemView({ nodePath: realpathSync(process.execPath) });
      const workspacePath = environment.workspacePath ?? '/workspace';
      const repository = `${runtimeFolder}/repository`;
      const trackedList = `${runtimeFolder}/tracked`;
      const mounts = environmentMounts(environment, workspacePath);
      const own: Mount[] = [
        { source: join(base.tree, '.git'), target: repository },
        { source: base.trackedList, target: trackedList },
      ];
      let controlGroup: ControlGroup | undefined;
      const writable = mounts.writable.length;
      const storage = await openSandboxStorage({
        scratchDirectory: host.scratchDirectory,
        mountDirectory: host.mountDirectory,
        runId: options.runId ?? '',
        startedAt: new Date(now()).toISOString(),
        base: base.tree,
        layering: host.layering,
        mounts: [...mounts.writable, ...own, ...mounts.readOnly],
        ...(host.owner === undefined ? {} : { owner: host.owner }),
        controlGroups: (id) => {
          if (host.controlGroups === null) return undefined;
          // The launcher's own two processes count too.
          controlGroup = createControlGroup({ root: host.controlGroups, name: id, processes: limits.processes + 2, memoryBytes: limits.memoryBytes });
          return { version: controlGroup.version, directories: controlGroup.directories };
        },
      });
      const inside = host.launcher.name === 'bubblewrap' ? insideId : 0;
      const account = accountFiles({ uid: inside, gid: inside, directory: storage.reachableDirectory });
      for (const file of account.files) writeFileSync(file.path, file.content, { mode: 0o644 });
      const launcher = await host.launcher.prepare({
        directory: storage.reachableDirectory,
        systemMounts: [...view.readOnlyMounts, ...account.mounts, ...(network === 'host' ? networkMounts() : [])],
        links: view.links,
        hidden: view.hidden,
        writableMounts: [{ source: storage.workspace, target: workspacePath }, ...storage.mounts.slice(0, writable)],
        readOnlyMounts: storage.mounts.slice(writable),
        network,
        temporaryBytes: Math.min(limits.memoryBytes, 268_435_456),
      });
      const sandbox = namespaceSandbox({
        id: storage.id,
        launcher,
        wrapper: wrapper(host, controlGroup),
        limits,
        limitProcessMemory: controlGroup === undefined,
        paths: { workspace: workspacePath, repository, trackedList },
        env: { PATH: view.path, HOME: '/tmp', TMPDIR: '/tmp', USER: 'agent', LANG: 'C.UTF-8', TZ: 'UTC', ...environment.env },
        now,
        release: async () => {
          await removeSandboxFolder({
            directory: storage.directory,
            owner: { mounts: storage.mountPoints, folders: storage.folders, ...(controlGroup === undefined ? {} : { controlGroup }) },
          });
          open.delete(sandbox);
        },
      });
      open.add(sandbox);
      return sandbox;
    },
    async describe() {
      const { host } = await prepare();
      return describeNamespaceHost({ host, open: (request) => provider.open(request) });
    },
    async disposeAll() {
      await Promise.all([...open].map((sandbox) => sandbox.dispose()));
    },
  };
  return provider;
}

const joinScript = 'while [ "$1" != -- ]; do echo $$ >"$1" || exit 125; shift; done; shift; exec "$@"';

function wrapper(host: NamespaceHost, controlGroup: ControlGroup | undefined): readonly string[] {
  const { owner } = host;
  const drop = owner === undefined ? [] : [host.setpriv, '--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups', '--inh-caps=-all', '--'];
  return controlGroup === undefined ? drop : ['/bin/sh', '-c', joinScript, 'sh', ...controlGroup.processFiles, '--', ...drop];
}

function parseLimits(given: SandboxLimits): SandboxLimits {
  const parsed = sandboxLimitsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new TadpoleError({ code: 'invalid-input', message: `expected complete sandbox limits, got: ${parsed.error.message}`, cause: parsed.error });
}

function environmentMounts(environment: SandboxEnvironment, workspacePath: string): { readOnly: readonly Mount[]; writable: readonly Mount[] } {
  const check = (mounts: readonly Mount[] = []) =>
    mounts.map(({ source, target }) => {
      const found = statSync(source, { throwIfNoEntry: false });
      if (found === undefined) throw new TadpoleError({ code: 'invalid-input', message: `expected a file or folder to mount at ${source}, found none` });
      if (!posix.isAbsolute(target) || posix.normalize(target) !== target || target === '/') {
        throw new TadpoleError({ code: 'invalid-input', message: `expected an absolute, normal mount target, got ${target}` });
      }
      return { source: realpathSync(source), target };
    });
  check([{ source: environment.workspace, target: workspacePath }]);
  return { readOnly: check(environment.readOnlyMounts), writable: check(environment.writableMounts) };
}
