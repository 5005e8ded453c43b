import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { bubblewrapLauncher } from './bubblewrap-launcher.js';
import { type ControlGroupRoot, findControlGroupRoot } from './control-group.js';
import { findProgram } from './find-program.js';
import type { Launcher } from './launcher.js';
import { runProgram } from './run-program.js';
import { isReachable, type Layering } from './sandbox-storage.js';
import { unshareLauncher } from './unshare-launcher.js';

/** What this machine and user offer for sandboxes by namespaces, found once for a provider. */
export interface NamespaceHost {
  readonly launcher: Launcher;
  /** The unprivileged user that commands run as; absent when this process is not root. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly setpriv: string;
  readonly git: string;
  readonly layering: Layering;
  readonly controlGroups: ControlGroupRoot | null;
  readonly scratchDirectory: string;
  /** Folder for mount points, reachable for the unprivileged user. */
  readonly mountDirectory: string;
  readonly hasLoopback: boolean;
}

/** Looks at this machine. @throws TadpoleError `missing-dependency` naming the package to install, or `storage`. */
export async function findNamespaceHost(options: {
  scratchDirectory: string;
  launcher?: 'bubblewrap' | 'unshare';
  bubblewrapPath?: string;
  userId: number;
}): Promise<NamespaceHost> {
  if (process.platform !== 'linux') {
    throw new TadpoleError({
      code: 'missing-dependency',
      message: `expected Linux namespaces, got ${process.platform}; use a container engine's provider`,
    });
  }
  const bubblewrap = options.bubblewrapPath ?? findProgram('bwrap');
  const chosen = options.launcher ?? (bubblewrap === undefined ? 'unshare' : 'bubblewrap');
  const setpriv = required('setpriv', 'util-linux');
  const ip = findProgram('ip');
  const launcher =
    chosen === 'bubblewrap'
      ? bubblewrapLauncher({ path: bubblewrap ?? required('bwrap', 'bubblewrap') })
      : unshareLauncher({
          ...{ unshare: required('unshare', 'util-linux'), setpriv, shell: required('sh', 'dash'), env: required('env', 'coreutils') },
          ip,
        });
  required('bash', 'bash');
  const root = process.getuid?.() === 0;
  const owner = root ? { uid: options.userId, gid: options.userId } : undefined;
  let { scratchDirectory } = options;
  try {
    mkdirSync(scratchDirectory, { recursive: true, mode: 0o755 });
    // The kernel lists mounts by their real paths.
    scratchDirectory = realpathSync(scratchDirectory);
  } catch (cause) {
    throw new TadpoleError({
      code: 'storage',
      message: `expected a writable scratch folder at ${scratchDirectory}, got: ${(cause as Error).message}`,
      cause,
    });
  }
  return {
    launcher,
    owner,
    setpriv,
    git: required('git', 'git'),
    layering: root && (await canOverlay(scratchDirectory)) ? 'overlay' : 'copy',
    controlGroups: findControlGroupRoot(),
    scratchDirectory,
    mountDirectory:
      owner === undefined || isReachable({ path: join(scratchDirectory, 'sandbox'), ...owner }) ? scratchDirectory : reachableFolder(),
    hasLoopback: chosen === 'bubblewrap' || ip !== undefined,
  };
}

function required(name: string, packageName: string): string {
  const path = findProgram(name);
  if (path !== undefined) return path;
  throw new TadpoleError({
    code: 'missing-dependency',
    message: `expected the program ${name} on this machine, found none; install the package ${packageName}`,
  });
}

function reachableFolder(): string {
  const folder = join(realpathSync(tmpdir()), `tadpole-mounts-${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

/** Mounts an overlay once, as kernels, containers and file systems differ in whether they allow it. */
async function canOverlay(scratchDirectory: string): Promise<boolean> {
  const probe = mkdtempSync(join(scratchDirectory, '.overlay-'));
  const [lower, upper, work, merged] = ['lower', 'upper', 'work', 'merged'].map((name) => join(probe, name)) as [
    string,
    string,
    string,
    string,
  ];
  try {
    for (const folder of [lower, upper, work, merged]) mkdirSync(folder);
    const script = 'mount -n -t overlay -o "volatile,lowerdir=$1,upperdir=$2,workdir=$3" tadpole "$4" && umount -n "$4"';
    await runProgram({
      program: '/bin/sh',
      arguments: ['-c', script, 'sh', lower, upper, work, merged],
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
