import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Network, type OwnedSandbox, type SandboxEnvironment, type SandboxLimits, TadpoleError } from '@tadpole/contracts';
import { assertEnvironment } from '../sandbox/assert-environment.js';
import { mountedInside } from '../sandbox/capture-patch.js';
import type { WorkspaceBase } from '../sandbox/workspace-base.js';
import { insideId } from './bubblewrap-launcher.js';
import { type ControlGroup, createControlGroup } from './control-group.js';
import type { Mount, PlannedMount, SandboxView } from './launcher.js';
import type { NamespaceHost } from './namespace-host.js';
import { namespaceSandbox } from './namespace-sandbox.js';
import { processStart } from './process-tree.js';
import { controlGroupName } from './reap-control-groups.js';
import { removeSandboxFolder } from './remove-sandbox-folder.js';
import { labelSandboxFolder, makeSandboxFolder } from './sandbox-folder.js';
import { holdSandbox, type SandboxHolder } from './sandbox-holder.js';
import type { SandboxOwner } from './sandbox-owner.js';
import { planSandboxStorage } from './sandbox-storage.js';
import { accountFiles, networkMounts, runtimeFolder } from './system-view.js';

/** Opens one sandbox on a known machine over a prepared base; what it made is removed again when it fails on the way. */
export async function openNamespaceSandbox(options: {
  host: NamespaceHost;
  base: WorkspaceBase;
  environment: SandboxEnvironment;
  limits: SandboxLimits;
  network: Network;
  runId: string;
  now: () => number;
  signal?: AbortSignal;
  onRelease: () => void;
}): Promise<OwnedSandbox> {
  const { host, environment, limits, now } = options;
  if (environment.image !== undefined) {
    throw new TadpoleError({
      code: 'unsupported',
      message: `expected an environment without an image, got ${environment.image}: namespaces show this machine's own system; use a container engine's provider`,
    });
  }
  assertEnvironment(environment.env ?? {});
  const { id, directory } = makeSandboxFolder(host);
  const startedAt = new Date(now()).toISOString();
  const owner = { runId: options.runId, pid: process.pid, processStart: processStart(process.pid) ?? '', startedAt };
  let label: SandboxOwner = owner;
  let holder: SandboxHolder | undefined;
  const remove = async () => {
    await holder?.close();
    await removeSandboxFolder({ directory, owner: label });
  };
  const release = () => remove().finally(options.onRelease);
  try {
    const plan = planSandbox(options);
    let group: ControlGroup | undefined;
    if (host.controlGroups !== null) {
      // The launcher's own two processes count too.
      const processes = limits.processes + 2;
      const name = controlGroupName({ id, processStart: owner.processStart });
      group = createControlGroup({ root: host.controlGroups, name, processes, memoryBytes: limits.memoryBytes });
      label = { ...owner, controlGroup: { version: group.version, directories: group.directories } };
    }
    labelSandboxFolder({ directory, owner: label });
    holder = await holdSandbox({ enter: host.newNamespace, setUp: plan.setUp, signal: options.signal });
    return namespaceSandbox({
      ...{ id, limits, now, release, holder, pipes: host.pipes, launchers: plan.launchers },
      enter: [...host.joinNamespace(holder.pid), ...dropPrivileges(host)],
      controlGroupFiles: group?.processFiles,
      paths: {
        workspace: plan.workspacePath,
        repository: `${runtimeFolder}/repository`,
        mounted: mountedInside(environment, plan.workspacePath),
      },
      runnerCommand: host.runnerCommand,
      env: { PATH: host.system.path, HOME: '/tmp', TMPDIR: '/tmp', USER: 'agent', LANG: 'C.UTF-8', TZ: 'UTC', ...environment.env },
    });
  } catch (error) {
    await remove();
    throw error;
  }
}

/** What processes of the sandbox will see, and the shell commands that lay it down. */
function planSandbox(options: {
  host: NamespaceHost;
  base: WorkspaceBase;
  environment: SandboxEnvironment;
  limits: SandboxLimits;
  network: Network;
}) {
  const { host, base, environment, limits } = options;
  const workspacePath = environment.workspacePath ?? '/workspace';
  const mounts = environmentMounts(environment, workspacePath, host.system);
  const inside = host.launcher.name === 'bubblewrap' ? insideId : 0;
  const account = accountFiles({ uid: inside, gid: inside });
  const storage = planSandboxStorage({
    directory: host.mountDirectory,
    ...{ base, limits, layering: host.layering, overlayOptions: host.overlayOptions, owner: host.owner, files: account },
    mounts: [...mounts.writable, ...runtimeMounts(host, base), ...mounts.readOnly],
  });
  const view: Omit<SandboxView, 'name' | 'temporary'> = {
    directory: storage.directory,
    systemMounts: [
      ...planned(host.system.readOnlyMounts.filter(({ target }) => target !== host.system.node)),
      ...Object.keys(account).map((name) => ({ source: `${storage.directory}/${name}`, target: `/etc/${name}`, isDirectory: false })),
      ...(options.network === 'host' ? planned(networkMounts()) : []),
    ],
    ...{ links: host.system.links, hidden: host.system.hidden, network: options.network },
    writableMounts: [
      { source: storage.workspace, target: workspacePath, isDirectory: true },
      ...storage.mounts.slice(0, mounts.writable.length),
    ],
    readOnlyMounts: storage.mounts.slice(mounts.writable.length),
  };
  const launchers = {
    command: host.launcher.prepare({ ...view, name: 'command', temporary: storage }),
    // Scripts of this package see nothing that commands left in the temporary folders.
    script: host.launcher.prepare({ ...view, name: 'script', temporary: { bytes: Math.min(limits.memoryBytes, 268_435_456) } }),
  };
  const setUp = [storage.setUp, launchers.command.setUp, launchers.script.setUp].filter(Boolean).join('\n');
  return { workspacePath, launchers, setUp };
}

function dropPrivileges({ owner, setpriv }: NamespaceHost): readonly string[] {
  if (owner === undefined) return [];
  return [setpriv, '--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups', '--inh-caps=-all', '--'];
}

/** What the runtime itself shows inside, read-only. */
function runtimeMounts({ system }: NamespaceHost, base: WorkspaceBase): readonly PlannedMount[] {
  return planned([
    { source: join(base.tree, '.git'), target: `${runtimeFolder}/repository` },
    // A Node.js of root's own home is one of the sources that the sandbox user cannot reach.
    ...system.readOnlyMounts.filter(({ target }) => target === system.node),
  ]);
}

function planned(mounts: readonly Mount[]): readonly PlannedMount[] {
  return mounts.map((mount) => ({ ...mount, isDirectory: statSync(mount.source).isDirectory() }));
}

function environmentMounts(
  environment: SandboxEnvironment,
  workspacePath: string,
  system: NamespaceHost['system'],
): { readOnly: readonly PlannedMount[]; writable: readonly PlannedMount[] } {
  const check = (mounts: readonly Mount[] = []) =>
    mounts.map(({ source, target }) => {
      const found = statSync(source, { throwIfNoEntry: false });
      if (found === undefined)
        throw new TadpoleError({ code: 'invalid-input', message: `expected a file or folder to mount at ${source}, found none` });
      if (!posix.isAbsolute(target) || posix.normalize(target) !== target || target === '/') {
        throw new TadpoleError({ code: 'invalid-input', message: `expected an absolute, normal mount target, got ${target}` });
      }
      return { source: realpathSync(source), target, isDirectory: found.isDirectory() };
    });
  check([{ source: environment.workspace, target: workspacePath }]);
  const mounts = { readOnly: check(environment.readOnlyMounts), writable: check(environment.writableMounts) };
  assertMountPoints({ mounts: [...mounts.writable, ...mounts.readOnly], around: system.readOnlyMounts });
  return mounts;
}

/** A mount point below another mount would have to be made in what is mounted there, a folder of this machine. */
function assertMountPoints(options: { mounts: readonly Mount[]; around: readonly Mount[] }): void {
  for (const mount of options.mounts) {
    const parent = [...options.around, ...options.mounts].find((other) => mount.target.startsWith(`${other.target}/`));
    if (parent === undefined || existsSync(join(parent.source, mount.target.slice(parent.target.length)))) continue;
    throw new TadpoleError({
      code: 'invalid-input',
      message: `expected ${mount.target} to exist in ${parent.source}, which is mounted around it; nothing is made in folders of this machine`,
    });
  }
}
