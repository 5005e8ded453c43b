import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killProcess } from './process-tree.js';

/** A control group of one sandbox: limits for all of its processes together, and the list of those that live. */
export interface ControlGroup {
  readonly version: 1 | 2;
  /** A process joins by writing its id into each of these files. */
  readonly processFiles: readonly string[];
  readonly directories: readonly string[];
  processes(): readonly number[];
  killAll(): void;
  remove(): Promise<void>;
}

/** Parents under which groups can be made, or `null` where this user may not or the kernel has none. */
export interface ControlGroupRoot {
  readonly version: 1 | 2;
  /** Version 1: one folder a controller. Version 2: the one folder. */
  readonly parents: readonly string[];
}

/**
 * Finds where this process may make control groups with the pids and memory controllers, below its own
 * group so that outer limits stay in force. Version 1 is preferred when both are mounted.
 */
export function findControlGroupRoot(mount = '/sys/fs/cgroup'): ControlGroupRoot | null {
  const own = ownGroups();
  const first = ['pids', 'memory'].map((controller) => {
    const base = join(mount, controller);
    return [join(base, own.get(controller) ?? ''), base].find((folder) =>
      canMake(folder, controller === 'pids' ? 'pids.max' : 'memory.limit_in_bytes'),
    );
  });
  if (first.every((folder) => folder !== undefined))
    return { version: 1, parents: first.map((folder) => join(folder as string, 'tadpole')) };
  for (const folder of [join(mount, own.get('') ?? ''), mount]) {
    if (!existsSync(join(folder, 'cgroup.subtree_control'))) continue;
    try {
      writeFileSync(join(folder, 'cgroup.subtree_control'), '+pids +memory');
      const parent = join(folder, 'tadpole');
      mkdirSync(parent, { recursive: true });
      writeFileSync(join(parent, 'cgroup.subtree_control'), '+pids +memory');
      if (canMake(parent, 'pids.max') && canMake(parent, 'memory.max')) return { version: 2, parents: [parent] };
    } catch {
      // Not delegated to this user, or the group holds processes itself: the next folder or none.
    }
  }
  return null;
}

/** Makes the group of one sandbox. @throws the file system's error when a limit cannot be written. */
export function createControlGroup(options: {
  root: ControlGroupRoot;
  name: string;
  processes: number;
  memoryBytes: number;
}): ControlGroup {
  const { root, name } = options;
  const directories = root.parents.map((parent) => join(parent, name));
  for (const directory of directories) mkdirSync(directory, { recursive: true });
  const [pids, memory = pids] = directories as [string, string?];
  // The kernel has no more ids than that.
  writeFileSync(join(pids, 'pids.max'), String(Math.min(options.processes, 4_194_304)));
  if (root.version === 1) {
    writeFileSync(join(memory, 'memory.limit_in_bytes'), String(options.memoryBytes));
    writeIfPresent(join(memory, 'memory.memsw.limit_in_bytes'), String(options.memoryBytes));
  } else {
    writeFileSync(join(memory, 'memory.max'), String(options.memoryBytes));
    writeIfPresent(join(memory, 'memory.swap.max'), '0');
  }
  return controlGroup(root.version, directories);
}

/** The group that stands at these folders, for instance one that a dead owner left. */
export function controlGroup(version: 1 | 2, directories: readonly string[]): ControlGroup {
  const processFiles = directories.map((directory) => join(directory, 'cgroup.procs'));
  function processes(): readonly number[] {
    try {
      return readFileSync(processFiles[0] as string, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(Number);
    } catch {
      return [];
    }
  }
  return {
    version,
    processFiles,
    directories,
    processes,
    killAll() {
      for (const pid of processes()) killProcess(pid);
    },
    async remove() {
      for (const directory of directories) await removeGroup(directory);
    },
  };
}

async function removeGroup(directory: string): Promise<void> {
  // The kernel answers EBUSY for a moment after the last process of a group has ended.
  for (let attempt = 0; ; attempt += 1) {
    try {
      rmdirSync(directory);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (code !== 'EBUSY' || attempt >= 200) throw error;
      await sleep(5);
    }
  }
}

function canMake(folder: string, file: string): boolean {
  const probe = join(folder, `tadpole-probe-${process.pid}`);
  try {
    mkdirSync(probe);
  } catch {
    return false;
  }
  const found = existsSync(join(probe, file));
  try {
    rmdirSync(probe);
  } catch {
    return false;
  }
  return found;
}

function ownGroups(): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  try {
    for (const line of readFileSync('/proc/self/cgroup', 'utf8').split('\n')) {
      const [, controllers, path] = line.split(':');
      if (controllers !== undefined && path !== undefined) for (const controller of controllers.split(',')) groups.set(controller, path);
    }
  } catch {
    // No control groups in this kernel.
  }
  return groups;
}

function writeIfPresent(file: string, content: string): void {
  if (existsSync(file)) writeFileSync(file, content);
}
