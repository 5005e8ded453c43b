import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRunner } from '@tadpole/contracts';
import { z } from 'zod';
import { assetsDirectory } from './assets-directory.js';

const runnerSchema = z.strictObject({ command: z.array(z.string()).min(1), files: z.array(z.string()) });

/** How a runner is started: the words of its command and the files among the assets that it needs. */
export function testRunner(options: { runner: TestRunner; assets: string }): { command: readonly string[]; files: readonly string[] } {
  const all = z.record(z.string(), runnerSchema).parse(JSON.parse(readFileSync(join(assetsDirectory(), 'runners.json'), 'utf8')));
  const { command, files } = runnerSchema.parse(all[options.runner]);
  return { command: command.map((word) => word.replaceAll('{assets}', options.assets)), files };
}

/** True for a runner of Node.js, whose tests find packages by the names that `package.json` files give. */
export function runsInNode(runner: TestRunner): boolean {
  return runner !== 'pytest';
}

/** What every test run finds the same: time zone, language, and the order of Python's sets. */
export const testEnvironment = {
  ...{ TZ: 'UTC', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', PYTHONHASHSEED: '0', PYTHONDONTWRITEBYTECODE: '1', NO_COLOR: '1' },
} as const;
