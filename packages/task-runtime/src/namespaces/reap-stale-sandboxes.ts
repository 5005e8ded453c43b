import { realpathSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processStart } from './process-tree.js';
import { removeSandboxFolder } from './remove-sandbox-folder.js';
import { ownerFile, sandboxOwnerSchema } from './sandbox-owner.js';

/**
 * Removes sandboxes whose owner process is gone, such as after `kill -9`. Sandboxes of living owners stay untouched.
 *
 * @returns the ids of the sandboxes that were removed.
 * @throws TadpoleError `sandbox` when one cannot be removed.
 */
export async function reapStaleSandboxes(options: { scratchDirectory: string }): Promise<readonly string[]> {
  const reaped: string[] = [];
  for (const id of await readdir(options.scratchDirectory).catch(() => [])) {
    const pid = /^sandbox-(\d+)-\d+$/.exec(id)?.[1];
    if (pid === undefined) continue;
    const directory = join(realpathSync(options.scratchDirectory), id);
    const parsed = sandboxOwnerSchema.safeParse(await readJson(join(directory, ownerFile)));
    // Without a readable label the folder's name still names the process that made it.
    const owner = parsed.data ?? {};
    const start = processStart(Number(pid));
    if (start !== null && (parsed.data === undefined || parsed.data.processStart === start)) continue;
    await removeSandboxFolder({ directory, owner });
    reaped.push(id);
  }
  return reaped;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
