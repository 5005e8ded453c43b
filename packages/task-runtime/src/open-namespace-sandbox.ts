import { realpathSync, statSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Network, type OwnedSandbox, type SandboxEnvironment, type SandboxLimits, TadpoleError } from '@tadpole/contracts';
import { assertEnvironment } from './assert-environment.js';
import { insideId } from './bubblewrap-launcher.js';
import { type ControlGroup, createControlGroup } from './control-group.js';
import type { Mount } from './launcher.js';
import type { NamespaceHost } from './namespace-host.js';
import { namespaceSandbox } from './namespace-sandbox.js';
import { removeSandboxFolder } from './remove-sandbox-folder.js';
import { openSandboxStorage } from './sandbox-storage.js';
import { accountFiles, networkMounts, runtimeFolder, systemView } from './system-view.js';
import type { WorkspaceBase } from './workspace-base.js';

/** Opens one sandbox on a known machine over a prepared base; what it made is removed again when it fails on the way. */
export async function openNamespaceSandbox(options: {
  host: NamespaceHost;
  base: WorkspaceBase;
  environment: SandboxEnvironment;
  limits: SandboxLimits;
  network: Network;
  runId: string;
  now: () => number;
  onRelease: () => void;
}): Promise<OwnedSandbox> {
  const { host, base, environment, limits, network, now } = options;
  assertEnvironment(environment.env ?? {});
  const workspacePath = environment.workspacePath ?? '/workspace';
  const view = systemView({ nodePath: realpathSync(process.execPath) });
  const paths = { workspace: workspacePath, repository: `${runtimeFolder}/repository`, trackedList: `${runtimeFolder}/tracked` };
  const mounts = environmentMounts(environment, workspacePath);
  const own: Mount[] = [
    { source: join(base.tree, '.git'), target: paths.repository },
    { source: base.trackedList, target: paths.trackedList },
    // A Node.js of root's own home is one of the sources that the sandbox user cannot reach.
    ...view.readOnlyMounts.filter(({ target }) => target === view.node),
  ];
  let controlGroup: ControlGroup | undefined;
  const storage = await openSandboxStorage({
    scratchDirectory: host.scratchDirectory,
    mountDirectory: host.mountDirectory,
    runId: options.runId,
    startedAt: new Date(now()).toISOString(),
    base: base.tree,
    layering: host.layering,
    mounts: [...mounts.writable, ...own, ...mounts.readOnly],
    owner: host.owner,
    controlGroups: (id) => {
      if (host.controlGroups === null) return undefined;
      // The launcher's own two processes count too.
      const processes = limits.processes + 2;
      controlGroup = createControlGroup({ root: host.controlGroups, name: id, processes, memoryBytes: limits.memoryBytes });
      return { version: controlGroup.version, directories: controlGroup.directories };
    },
  });
  const release = async () => {
    await removeSandboxFolder({ directory: storage.directory, owner: storage.owner });
    options.onRelease();
  };
  try {
    const inside = host.launcher.name === 'bubblewrap' ? insideId : 0;
    const account = accountFiles({ uid: inside, gid: inside, directory: storage.reachableDirectory });
    for (const file of account.files) writeFileSync(file.path, file.content, { mode: 0o644 });
    const writable = mounts.writable.length;
    const launcher = await host.launcher.prepare({
      directory: storage.reachableDirectory,
      systemMounts: [
        ...view.readOnlyMounts.filter(({ target }) => target !== view.node),
        ...account.mounts,
        ...(network === 'host' ? networkMounts() : []),
      ],
      links: view.links,
      hidden: view.hidden,
      writableMounts: [{ source: storage.workspace, target: workspacePath }, ...storage.mounts.slice(0, writable)],
      readOnlyMounts: storage.mounts.slice(writable),
      network,
      temporaryBytes: Math.min(limits.memoryBytes, 268_435_456),
    });
    return namespaceSandbox({
      ...{ id: storage.id, launcher, limits, paths, now, release },
      wrapper: wrapper(host, controlGroup),
      limitProcessMemory: controlGroup === undefined,
      env: { PATH: view.path, HOME: '/tmp', TMPDIR: '/tmp', USER: 'agent', LANG: 'C.UTF-8', TZ: 'UTC', ...environment.env },
    });
  } catch (error) {
    await release();
    throw error;
  }
}

const joinScript = 'while [ "$1" != -- ]; do echo $$ >"$1" || exit 125; shift; done; shift; exec "$@"';

function wrapper(host: NamespaceHost, controlGroup: ControlGroup | undefined): readonly string[] {
  const { owner } = host;
  const drop =
    owner === undefined
      ? []
      : [host.setpriv, '--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups', '--inh-caps=-all', '--'];
  return controlGroup === undefined ? drop : ['/bin/sh', '-c', joinScript, 'sh', ...controlGroup.processFiles, '--', ...drop];
}

function environmentMounts(
  environment: SandboxEnvironment,
  workspacePath: string,
): { readOnly: readonly Mount[]; writable: readonly Mount[] } {
  const check = (mounts: readonly Mount[] = []) =>
    mounts.map(({ source, target }) => {
      const found = statSync(source, { throwIfNoEntry: false });
      if (found === undefined)
        throw new TadpoleError({ code: 'invalid-input', message: `expected a file or folder to mount at ${source}, found none` });
      if (!posix.isAbsolute(target) || posix.normalize(target) !== target || target === '/') {
        throw new TadpoleError({ code: 'invalid-input', message: `expected an absolute, normal mount target, got ${target}` });
      }
      return { source: realpathSync(source), target };
    });
  check([{ source: environment.workspace, target: workspacePath }]);
  return { readOnly: check(environment.readOnlyMounts), writable: check(environment.writableMounts) };
}
