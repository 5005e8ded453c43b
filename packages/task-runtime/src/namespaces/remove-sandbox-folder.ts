import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { TadpoleError } from '@tadpole/contracts';
import { type ControlGroup, controlGroup } from './control-group.js';
import type { SandboxOwner } from './sandbox-owner.js';

const deadlineMs = 10_000;

/**
 * Ends and removes what is left of one sandbox: processes of its control group, the group, its folder. What it had
 * mounted went with its last process. Verified: it returns only when nothing is left. @throws TadpoleError `sandbox` otherwise.
 */
export async function removeSandboxFolder(options: { directory: string; owner: Pick<SandboxOwner, 'controlGroup'> }): Promise<void> {
  const { directory, owner } = options;
  if (owner.controlGroup !== undefined) {
    await endControlGroup(controlGroup(owner.controlGroup.version, owner.controlGroup.directories));
  }
  await rm(directory, { recursive: true, force: true });
  if (existsSync(directory))
    throw new TadpoleError({ code: 'sandbox', message: `expected ${directory} to be removed, but it is still there` });
}

/** Kills the processes of a group until none lives, and removes it. @throws TadpoleError `sandbox` when one does not end. */
export async function endControlGroup(group: ControlGroup): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  for (; group.processes().length > 0; await sleep(2)) {
    group.killAll();
    if (performance.now() > deadline) {
      throw new TadpoleError({
        code: 'sandbox',
        message: `expected the processes of ${group.directories[0]} to end, but ${group.processes().join(', ')} still run`,
      });
    }
  }
  await group.remove();
}
