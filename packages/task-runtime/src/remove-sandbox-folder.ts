import { existsSync, readFileSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TadpoleError } from '@tadpole/contracts';
import { controlGroup } from './control-group.js';
import { runProgram, systemEnvironment } from './run-program.js';
import type { SandboxOwner } from './sandbox-owner.js';

// A folder that its owner made unreadable stops an unprivileged rm: modes are opened and it tries again.
const removeScript = 'rm -rf -- "$@" 2>/dev/null || { chmod -R u+rwX -- "$@"; rm -rf -- "$@"; }';

const deadlineMs = 10_000;

/**
 * Ends and removes everything of one sandbox: processes of its control group, mounts, folders. Verified: it returns
 * only when nothing is left. @throws TadpoleError `sandbox` otherwise.
 */
export async function removeSandboxFolder(options: {
  directory: string;
  owner: Pick<SandboxOwner, 'mounts' | 'folders' | 'controlGroup'>;
}): Promise<void> {
  const { directory, owner } = options;
  if (owner.controlGroup !== undefined) {
    const group = controlGroup(owner.controlGroup.version, owner.controlGroup.directories);
    const deadline = performance.now() + deadlineMs;
    for (; group.processes().length > 0; await sleep(2)) {
      group.killAll();
      if (performance.now() > deadline) {
        throw new TadpoleError({
          code: 'sandbox',
          message: `expected the processes of ${directory} to end, but ${group.processes().join(', ')} still run`,
        });
      }
    }
    await group.remove();
  }
  if (owner.mounts.length > 0) await unmount(owner.mounts);
  const folders = [...owner.folders, directory];
  await removeFolders(folders);
  // The last sandbox of a provider takes the folder of its mount points along.
  for (const folder of owner.folders) await rmdir(dirname(folder)).catch(() => {});
  const left = folders.filter((folder) => existsSync(folder));
  if (left.length > 0)
    throw new TadpoleError({ code: 'sandbox', message: `expected ${left.join(', ')} to be removed, but it is still there` });
}

async function unmount(mounts: readonly string[]): Promise<void> {
  for (const way of [['-n'], ['-n', '-l']]) {
    const left = mounted(mounts);
    if (left.length === 0) return;
    await runProgram({ program: 'umount', arguments: [...way, ...left], env: systemEnvironment }).catch(() => {});
  }
}

async function removeFolders(folders: readonly string[]): Promise<void> {
  // Removing would empty what is still bound below.
  const left = mounted(folders);
  if (left.length > 0) throw new TadpoleError({ code: 'sandbox', message: `expected ${left.join(', ')} to be unmounted, but it is not` });
  try {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  } catch {
    await runProgram({ program: '/bin/sh', arguments: ['-c', removeScript, 'sh', ...folders], env: systemEnvironment });
  }
}

/** Those of some paths that are mount points or hold one. */
function mounted(paths: readonly string[]): readonly string[] {
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '');
  return paths.filter((path) => {
    // proc_pid_mountinfo(5) prints blanks and backslashes as octal escapes.
    const printed = path.replace(/[\s\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
    return points.some((point) => point === printed || point.startsWith(`${printed}/`));
  });
}
