import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { controlGroup, findControlGroupRoot } from './control-group.js';
import { processStart } from './process-tree.js';
import { endControlGroup } from './remove-sandbox-folder.js';

/** Name of a sandbox's control group: with the start of its owner, as process ids are used again. */
export function controlGroupName(options: { id: string; processStart: string }): string {
  return `${options.id}-${options.processStart}`;
}

/**
 * Removes control groups of sandboxes whose owner process is gone and whose folder went without them, for instance
 * because somebody deleted it. Groups of living owners stay untouched.
 *
 * @returns the names of the groups that were removed.
 * @throws TadpoleError `sandbox` when processes of one cannot be ended.
 */
export async function reapStaleControlGroups(): Promise<readonly string[]> {
  const root = findControlGroupRoot();
  if (root === null) return [];
  const names = new Set(root.parents.flatMap((parent) => list(parent)));
  const reaped: string[] = [];
  for (const name of names) {
    const [, pid, start] = /^sandbox-(\d+)-\d+-(\d+)$/.exec(name) ?? [];
    if (pid === undefined || processStart(Number(pid)) === start) continue;
    const directories = root.parents.map((parent) => join(parent, name));
    await endControlGroup(controlGroup(root.version, directories));
    reaped.push(name);
  }
  return reaped;
}

function list(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
