import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestExecutor, TestRun } from '@tadpole/contracts';
import { writeWhole, writing } from './write-whole.js';

/**
 * Keeps what every execution of a snapshot's tests gave in a folder, which is made, so that a resumed run decides
 * over the same candidates without running their tests again. The second execution of the same tree is a
 * second record: repeating a test is evidence, and is really done once.
 *
 * The result throws TadpoleError `storage` when a record cannot be written, and what the executor throws.
 */
export function recordExecutions(options: { executor: TestExecutor; folder: string }): TestExecutor {
  const { executor, folder } = options;
  writing(folder, () => mkdirSync(folder, { recursive: true }));
  const seen = new Map<string, number>();
  return {
    async execute(request) {
      const identity = createHash('sha256')
        .update(JSON.stringify([request.snapshot.hash, request.edits, request.testFiles ?? null, request.timeoutMs]))
        .digest('hex');
      const repetition = seen.get(identity) ?? 0;
      seen.set(identity, repetition + 1);
      const path = join(folder, `${identity.slice(0, 32)}-${repetition}.json`);
      const recorded = readRecord(path);
      if (recorded !== undefined) return recorded;
      const run = await executor.execute(request);
      writeWhole({ path, content: JSON.stringify(run) });
      return run;
    },
  };
}

/** A record that is absent or was damaged on the disk is made again. */
function readRecord(path: string): TestRun | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as TestRun;
  } catch {
    return undefined;
  }
}
