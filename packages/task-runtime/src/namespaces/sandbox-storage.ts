import { posix } from 'node:path';
import type { SandboxLimits } from '@tadpole/contracts';
import { quote } from '../grading/grading-preparation.js';
import type { PlannedMount } from './launcher.js';
import { hereDocument, mountLine, overlayOption } from './mount-table.js';
import { isReachable } from './reachable.js';

/** How a workspace is layered over its base: `overlay`, or `copy` where the kernel allows none. */
export type Layering = 'overlay' | 'copy';

/** Where a sandbox's files stand in its own mount namespace, and the shell commands that lay them down there. */
export interface SandboxStorage {
  /** Folder of this sandbox; in other mount namespaces it is empty. */
  readonly directory: string;
  readonly workspace: string;
  readonly tmp: string;
  readonly shm: string;
  /** The given mounts, with sources that the sandbox user can reach. */
  readonly mounts: readonly PlannedMount[];
  readonly setUp: string;
}

/** What a sandbox has of inodes besides those that it may make: the folders that are laid down for it. */
const ownInodes = 256;

/**
 * Plans everything that a sandbox writes to as one tmpfs of bounded bytes and inodes: the workspace as a layer over its
 * base, `/tmp` and shared memory. It stands in a mount namespace of the sandbox's own, so nothing of it shows on this
 * machine and nothing is left when its last process ends.
 */
export function planSandboxStorage(options: {
  /** Mount point, reachable for the sandbox user. */
  directory: string;
  base: { tree: string; bytes: number; files: number };
  layering: Layering;
  /** Options of the overlay, for instance `userxattr` in a user namespace. */
  overlayOptions: readonly string[];
  limits: Pick<SandboxLimits, 'writtenBytes' | 'writtenFiles'>;
  mounts: readonly PlannedMount[];
  /** Files of the sandbox's folder by name. */
  files: Readonly<Record<string, string>>;
  /** The unprivileged user, where this process is root. */
  owner?: { uid: number; gid: number };
}): SandboxStorage {
  const { directory, base, layering, limits, owner } = options;
  const at = (name: string) => `${directory}/${name}`;
  const staged: PlannedMount[] = [];
  const mounts = options.mounts.map((mount, index) => {
    if (owner === undefined || isReachable({ path: mount.source, ...owner })) return mount;
    const source = at(`mount-${index}`);
    staged.push({ source: mount.source, target: source, isDirectory: mount.isDirectory });
    return { ...mount, source };
  });
  const copied = layering === 'copy' ? base : { bytes: 0, files: 0 };
  const size = Math.ceil((limits.writtenBytes + copied.bytes) / 4096 + ownInodes) * 4096;
  const inodes = limits.writtenFiles + copied.files + ownInodes + options.mounts.length;
  const layers = ['lowerdir', base.tree, 'upperdir', at('upper'), 'workdir', at('work')];
  const overlay = [
    ...options.overlayOptions,
    ...[0, 2, 4].map((index) => `${layers[index]}=${overlayOption(layers[index + 1] as string)}`),
  ].join(',');
  const table = [
    ...(layering === 'overlay' ? [['tadpole', at('workspace'), 'overlay', overlay]] : []),
    ...staged.map(({ source, target }) => [source, target, 'none', 'bind']),
  ]
    .map(mountLine)
    .join('');
  const folders = [
    'upper',
    'work',
    'workspace',
    ...staged.filter(({ isDirectory }) => isDirectory).map(({ target }) => posix.basename(target)),
  ];
  const owned = owner === undefined ? [] : [`chown ${owner.uid}:${owner.gid} upper tmp shm`];
  const setUp = [
    'set -e',
    `mount -n -t tmpfs -o size=${size},nr_inodes=${inodes},mode=755,nosuid,nodev tadpole ${quote(directory)}`,
    `cd ${quote(directory)}`,
    `mkdir ${folders.join(' ')}`,
    'mkdir -m 1777 tmp shm',
    ...owned,
    ...staged.filter(({ isDirectory }) => !isDirectory).map(({ target }) => `: >${quote(target)}`),
    ...Object.entries(options.files).map(([name, content]) => hereDocument(at(name), content)),
    ...(layering === 'copy' ? [`cp -a -- ${quote(`${base.tree}/.`)} workspace/`] : []),
    ...(table === '' ? [] : [hereDocument(at('fstab'), table), 'mount -n -a -T fstab']),
  ].join('\n');
  return { directory, workspace: at('workspace'), tmp: at('tmp'), shm: at('shm'), mounts, setUp };
}
