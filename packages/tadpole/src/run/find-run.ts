import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';

/**
 * The newest run below `runsDirectory`, by the time its journal was last written.
 *
 * @throws TadpoleError `invalid-input` when there is none.
 */
export function findNewestRun(runsDirectory: string): string {
  const names = existsSync(runsDirectory) ? readdirSync(runsDirectory) : [];
  const runs = names
    .map((name) => join(runsDirectory, name))
    .filter((directory) => existsSync(join(directory, 'run.json')))
    .map((directory) => ({ directory, mtimeMs: lastWrittenMs(directory) }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  const newest = runs[0];
  if (newest) return newest.directory;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected a run below ${runsDirectory}, found none. Start one with \`npm run recipe\`, or name its folder.`,
  });
}

function lastWrittenMs(directory: string): number {
  const journal = join(directory, 'journal.jsonl');
  return statSync(existsSync(journal) ? journal : join(directory, 'run.json')).mtimeMs;
}
