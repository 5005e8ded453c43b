import { lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { cp, lchown, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import type { Mount } from './launcher.js';
import { processStart } from './process-tree.js';
import { removeSandboxFolder } from './remove-sandbox-folder.js';
import { runProgram, systemEnvironment } from './run-program.js';
import { ownerFile, type SandboxOwner } from './sandbox-owner.js';

/** How a workspace is layered over its base. */
export type Layering = 'overlay' | 'copy';

/** The folder of one sandbox on this machine. */
export interface SandboxStorage {
  readonly id: string;
  readonly directory: string;
  /** Folder for files that the sandbox user must be able to reach; the same one where possible. */
  readonly reachableDirectory: string;
  /** Source of the writable workspace. */
  readonly workspace: string;
  /** The given mounts, with sources that the sandbox user can reach. */
  readonly mounts: readonly Mount[];
  /** Its label, which names everything that goes with it. */
  readonly owner: SandboxOwner;
}

/**
 * Makes a sandbox's folder with its owner file, its copy-on-write workspace, and bind mounts for sources that the
 * unprivileged user could not reach by path. The owner file is written first, so that a crash leaves nothing unlabelled.
 */
export async function openSandboxStorage(options: {
  scratchDirectory: string;
  /** Folder for mount points that the sandbox user can reach. */
  mountDirectory: string;
  runId: string;
  startedAt: string;
  base: string;
  layering: Layering;
  mounts: readonly Mount[];
  owner?: { uid: number; gid: number };
  controlGroups: (id: string) => SandboxOwner['controlGroup'];
}): Promise<SandboxStorage> {
  const id = makeFolder(options.scratchDirectory);
  const directory = join(options.scratchDirectory, id);
  const points = join(options.mountDirectory, id);
  const binds: Mount[] = [];
  const mounts = options.mounts.map((mount, index) => {
    if (options.owner === undefined || isReachable({ path: mount.source, ...options.owner })) return mount;
    const staged = join(points, `mount-${index}`);
    binds.push({ source: mount.source, target: staged });
    return { source: staged, target: mount.target };
  });
  const overlay = options.layering === 'overlay';
  const workspace = join(overlay ? points : directory, 'workspace');
  const controlGroup = options.controlGroups(id);
  const record: SandboxOwner = {
    runId: options.runId,
    pid: process.pid,
    processStart: processStart(process.pid) ?? '',
    startedAt: options.startedAt,
    mounts: [...(overlay ? [workspace] : []), ...binds.map(({ target }) => target)],
    folders: points === directory ? [] : [points],
    controlGroup,
  };
  writeFileSync(join(directory, ownerFile), JSON.stringify(record));
  try {
    await layDown({ ...options, directory, points, workspace, binds });
  } catch (error) {
    await removeSandboxFolder({ directory, owner: record });
    throw error;
  }
  return { id, directory, reachableDirectory: points, workspace, mounts, owner: record };
}

async function layDown(options: {
  directory: string;
  points: string;
  workspace: string;
  binds: readonly Mount[];
  base: string;
  layering: Layering;
  owner?: { uid: number; gid: number };
}): Promise<void> {
  const { directory, points, workspace, binds } = options;
  if (points !== directory) mkdirSync(points, { recursive: true, mode: 0o755 });
  for (const { source, target } of binds) {
    if (statSync(source).isDirectory()) mkdirSync(target);
    else writeFileSync(target, '');
  }
  if (options.layering === 'overlay') {
    for (const folder of [workspace, join(directory, 'upper'), join(directory, 'work')]) mkdirSync(folder);
    if (options.owner !== undefined) await lchown(join(directory, 'upper'), options.owner.uid, options.owner.gid);
    const layers = { lowerdir: options.base, upperdir: join(directory, 'upper'), workdir: join(directory, 'work') };
    // A sandbox that does not survive a crash needs no synchronised writes.
    const words = ['volatile', ...Object.entries(layers).map(([name, path]) => `${name}=${escapeOption(path)}`)];
    await runProgram({
      program: 'mount',
      arguments: ['-n', '-t', 'overlay', '-o', words.join(','), 'tadpole', workspace],
      env: systemEnvironment,
    });
  } else {
    await cp(options.base, workspace, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, force: true });
    if (options.owner !== undefined) await give(workspace, options.owner);
  }
  if (binds.length === 0) return;
  const pairs = binds.flatMap(({ source, target }) => [source, target]);
  await runProgram({ program: '/bin/sh', arguments: ['-c', bindScript, 'sh', ...pairs], env: systemEnvironment });
}

// One process started here for all of them: this process may be large, and starting another copies its page tables.
const bindScript = 'while [ $# -gt 0 ]; do mount -n --bind "$1" "$2" || exit; shift 2; done';

/** Whether a user other than root can reach a path: every folder above it lets others pass. */
export function isReachable(options: { path: string; uid: number; gid: number }): boolean {
  const allows = (path: string, bit: number) => {
    const { mode, uid, gid } = statSync(path);
    const shift = uid === options.uid ? 6 : gid === options.gid ? 3 : 0;
    return ((mode >> shift) & bit) === bit;
  };
  for (let folder = dirname(options.path); ; folder = dirname(folder)) {
    if (!allows(folder, 1)) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function give(path: string, owner: { uid: number; gid: number }): Promise<void> {
  await lchown(path, owner.uid, owner.gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const child of await readdir(path)) await give(join(path, child), owner);
}

// Names only: each folder is made exclusively, so two copies of this module cannot collide.
let lastNumber = 0;

function makeFolder(scratchDirectory: string): string {
  for (;;) {
    lastNumber += 1;
    const id = `sandbox-${process.pid}-${lastNumber}`;
    try {
      mkdirSync(join(scratchDirectory, id), { mode: 0o755 });
      return id;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      const message = `expected a writable scratch folder at ${scratchDirectory}, got: ${(cause as Error).message}`;
      throw new TadpoleError({ code: 'storage', message, cause });
    }
  }
}

/** Overlay options: a backslash protects colons, commas and itself. */
function escapeOption(path: string): string {
  return path.replace(/[\\:,]/g, (character) => `\\${character}`);
}
