import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestExecutor, TestRun } from '@tadpole/contracts';
import type { RunStore } from '../run/run-store.js';

/**
 * Keeps what every execution of a candidate's tests gave below `executions/`, so that a resumed run decides
 * over the same candidates without running their tests again. The second execution of the same tree is a
 * second record: repeating a test is evidence, and is really done once.
 */
export function recordExecutions(options: { executor: TestExecutor; store: RunStore }): TestExecutor {
  const folder = options.store.folder('executions');
  const seen = new Map<string, number>();
  return {
    async execute(request) {
      const identity = createHash('sha256')
        .update(JSON.stringify([request.snapshot.hash, request.edits, request.testFiles ?? null, request.timeoutMs]))
        .digest('hex');
      const repetition = seen.get(identity) ?? 0;
      seen.set(identity, repetition + 1);
      const name = `${identity.slice(0, 32)}-${repetition}.json`;
      const path = join(folder, name);
      const recorded = readRecord(path);
      if (recorded !== undefined) return recorded;
      const run = await options.executor.execute(request);
      options.store.writeFile(join('executions', name), JSON.stringify(run));
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
