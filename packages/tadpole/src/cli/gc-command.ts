import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { reapDockerSandboxes, reapStaleControlGroups, reapStaleSandboxes } from '@tadpole/task-runtime';

/**
 * Removes what sandboxes left whose owner was killed: below a folder of runs or of one run, or in a scratch folder itself. Sandboxes of living
 * processes stay untouched. Prints what was removed.
 *
 * With `--engine`, containers too.
 *
 * @throws TadpoleError `invalid-input` when there is no such folder; `sandbox` when something cannot be removed.
 */
export async function collectGarbage(folder: string | undefined, flags: { json?: boolean; engine?: string }): Promise<void> {
  const directory = resolve(folder ?? 'runs');
  if (folder !== undefined && !statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a folder of runs or a run at ${directory}, found none.` });
  const removed: string[] = [];
  for (const scratchDirectory of scratchFolders(directory)) {
    const ids = await reapStaleSandboxes({ scratchDirectory });
    removed.push(...ids.map((id) => join(scratchDirectory, id)));
  }
  removed.push(...(await reapStaleControlGroups()).map((name) => `control group ${name}`));
  if (flags.engine !== undefined) {
    const names = await reapDockerSandboxes({ engines: [{ socketPath: flags.engine }] });
    removed.push(...names.map((name) => `container ${name}`));
  }
  if (flags.json) process.stdout.write(`${JSON.stringify({ removed })}\n`);
  else process.stdout.write([...removed.map((name) => `removed ${name}`), `${removed.length} removed`, ''].join('\n'));
}

function scratchFolders(directory: string): readonly string[] {
  const runs = existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
  return [directory, ...[directory, ...runs].map((run) => join(run, 'scratch'))].filter((scratch) => existsSync(scratch));
}
