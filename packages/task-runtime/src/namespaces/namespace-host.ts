import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { runnerArguments } from '../runner/runner-arguments.js';
import { findProgram } from '../sandbox/find-program.js';
import { runProgram, systemEnvironment } from '../sandbox/run-program.js';
import { bubblewrapLauncher } from './bubblewrap-launcher.js';
import { type ControlGroupRoot, findControlGroupRoot } from './control-group.js';
import type { Launcher } from './launcher.js';
import { overlayOption } from './mount-table.js';
import { createPipePool, type PipePool } from './output-pipes.js';
import { isReachable } from './reachable.js';
import type { Layering } from './sandbox-storage.js';
import { seccompFilter } from './seccomp-filter.js';
import { type SystemView, systemView } from './system-view.js';
import { unshareLauncher } from './unshare-launcher.js';

/** What this machine and user offer for sandboxes by namespaces, found once for a provider. */
export interface NamespaceHost {
  readonly launcher: Launcher;
  /** The unprivileged user that commands run as; absent when this process is not root. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly setpriv: string;
  readonly git: string;
  readonly layering: Layering;
  /** Options of an overlay mount. */
  readonly overlayOptions: readonly string[];
  /** Program and arguments that run the words that follow in a new mount namespace in which this user may mount. */
  readonly newNamespace: readonly string[];
  /** Program and arguments that run the words that follow in the mount namespace of a process. */
  readonly joinNamespace: (pid: number) => readonly string[];
  readonly controlGroups: ControlGroupRoot | null;
  readonly scratchDirectory: string;
  /** Empty folder to mount over, reachable for the unprivileged user. */
  readonly mountDirectory: string;
  /** What every sandbox sees of this machine. */
  readonly system: SystemView;
  /** Command line inside of the process that serves files. */
  readonly runnerCommand: readonly string[];
  readonly hasLoopback: boolean;
  /** Pipes for the output of commands. */
  readonly pipes: PipePool;
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
  const scratchDirectory = makeScratch(options.scratchDirectory);
  const controlGroups = findControlGroupRoot();
  const launcher =
    chosen === 'bubblewrap'
      ? bubblewrapLauncher({
          path: bubblewrap ?? required('bwrap', 'bubblewrap'),
          filterFile: writeFilter({ scratchDirectory, controlGroups }),
        })
      : unshareLauncher({
          ...{ unshare: required('unshare', 'util-linux'), setpriv, shell: required('sh', 'dash'), env: required('env', 'coreutils') },
          ip,
        });
  required('bash', 'bash');
  const root = process.getuid?.() === 0;
  const owner = root ? { uid: options.userId, gid: options.userId } : undefined;
  const [unshare, nsenter] = [required('unshare', 'util-linux'), required('nsenter', 'util-linux')];
  const newNamespace = [...[unshare, '--mount', '--propagation', 'private'], ...(root ? [] : ['--user', '--map-root-user'])];
  const system = systemView({ nodePath: realpathSync(process.execPath) });
  const mountDirectory = mountFolder(scratchDirectory, owner);
  const overlayOptions = root ? [] : ['userxattr'];
  return {
    ...{ launcher, owner, setpriv, overlayOptions, newNamespace, scratchDirectory, mountDirectory },
    joinNamespace: (pid) => [nsenter, '--target', String(pid), '--mount', ...(root ? [] : ['--user', '--preserve-credentials']), '--'],
    git: required('git', 'git'),
    layering: await probeLayering({ scratchDirectory, mountDirectory, newNamespace, overlayOptions }),
    controlGroups,
    pipes: await createPipePool({ scratchDirectory, owner }),
    ...{ system, runnerCommand: runnerArguments({ node: system.node }) },
    hasLoopback: chosen === 'bubblewrap' || ip !== undefined,
  };
}

function makeScratch(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    // The kernel lists mounts by their real paths.
    return realpathSync(directory);
  } catch (cause) {
    throw new TadpoleError({
      code: 'storage',
      message: `expected a writable scratch folder at ${directory}, got: ${(cause as Error).message}`,
      cause,
    });
  }
}

function writeFilter(options: { scratchDirectory: string; controlGroups: ControlGroupRoot | null }): string | undefined {
  const hiddenMemory = options.controlGroups === null ? 'refused' : 'allowed';
  const program = seccompFilter({ architecture: process.arch, hiddenMemory });
  if (program === undefined) return undefined;
  const file = join(options.scratchDirectory, 'bases', `seccomp-${hiddenMemory}.bpf`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, program, { mode: 0o644 });
  return file;
}

function required(name: string, packageName: string): string {
  const path = findProgram(name);
  if (path !== undefined) return path;
  throw new TadpoleError({
    code: 'missing-dependency',
    message: `expected the program ${name} on this machine, found none; install the package ${packageName}`,
  });
}

/** A folder that stays empty on this machine: below the scratch folder, or where the sandbox user can reach it. */
function mountFolder(scratchDirectory: string, owner: { uid: number; gid: number } | undefined): string {
  const inScratch = join(scratchDirectory, 'mount-point');
  const folder =
    owner === undefined || isReachable({ path: inScratch, ...owner }) ? inScratch : join(realpathSync(tmpdir()), 'tadpole-mount-point');
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

/** Mounts a tmpfs and an overlay once, as kernels, containers and file systems differ in what they allow. */
async function probeLayering(options: {
  scratchDirectory: string;
  mountDirectory: string;
  newNamespace: readonly string[];
  overlayOptions: readonly string[];
}): Promise<Layering> {
  const lower = mkdtempSync(join(options.scratchDirectory, '.overlay-'));
  chmodSync(lower, 0o755);
  const overlay = [...options.overlayOptions, `lowerdir=${overlayOption(lower)}`, 'upperdir=upper', 'workdir=work'].join(',');
  const script = `mount -n -t tmpfs tadpole "$1" || exit
cd "$1" && mkdir upper work merged
mount -n -t overlay -o "$2" tadpole merged 2>/dev/null && echo overlay || echo copy`;
  const [program = '', ...words] = [...options.newNamespace, '/bin/sh', '-c', script, 'sh', options.mountDirectory, overlay];
  try {
    const said = await runProgram({ program, arguments: words, env: systemEnvironment });
    return said.toString('utf8').trim() === 'overlay' ? 'overlay' : 'copy';
  } catch (cause) {
    throw new TadpoleError({
      code: 'missing-dependency',
      message: `expected to make a mount namespace with a tmpfs, ${(cause as Error).message}. Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0), run as root, or use a container engine's provider.`,
      cause,
    });
  } finally {
    rmSync(lower, { recursive: true, force: true });
  }
}
