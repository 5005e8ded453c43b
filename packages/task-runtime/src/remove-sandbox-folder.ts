import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TadpoleError } from '@tadpole/contracts';
import { controlGroup } from './control-group.js';
import { runProgram } from './run-program.js';
import type { SandboxOwner } from './sandbox-owner.js';

// Nothing is removed while anything is still mounted below: rm would empty what is bound there. A folder that its owner
// made unreadable stops an unprivileged rm: modes are opened and it tries again.
const removeScript = `
PATH=/usr/bin:/bin:/usr/sbin:/sbin
while [ "$1" != -- ]; do umount -n "$1" 2>/dev/null || umount -n -l "$1" 2>/dev/null; shift; done
shift
while [ "$1" != -- ]; do if grep -q -F " $1/" /proc/self/mountinfo; then echo "still mounted below $1" >&2; exit 1; fi; shift; done
shift
rm -rf -- "$@" 2>/dev/null || { chmod -R u+rwX -- "$@"; rm -rf -- "$@"; }`;

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
  const folders = [...owner.folders, directory];
  await runProgram({
    program: '/bin/sh',
    arguments: ['-c', removeScript, 'sh', ...owner.mounts, '--', ...folders.map(mountinfoPath), '--', ...folders],
  });
  const left = folders.filter((folder) => existsSync(folder));
  if (left.length > 0)
    throw new TadpoleError({ code: 'sandbox', message: `expected ${left.join(', ')} to be removed, but it is still there` });
}

/** A path as proc_pid_mountinfo(5) prints it: blanks and backslashes are octal escapes. */
function mountinfoPath(path: string): string {
  return path.replace(/[\s\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
