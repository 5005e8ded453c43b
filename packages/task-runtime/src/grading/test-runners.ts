import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestRunner, testRunnerSchema } from '@tadpole/contracts';
import { z } from 'zod';
import { assetsDirectory } from '../assets-directory.js';

const runnersSchema = z.strictObject({
  /** What every test run finds the same: time zone, language, and the order of Python's sets. */
  environment: z.record(z.string(), z.string()),
  runners: z.record(testRunnerSchema, z.strictObject({ command: z.array(z.string()).min(1), files: z.array(z.string()) })),
});

/** How a runner is started: the words of its command, its variables, and the files among the assets that it needs. */
export function testRunner(options: { runner: TestRunner; assets: string }): {
  command: readonly string[];
  environment: Readonly<Record<string, string>>;
  files: readonly string[];
} {
  const { environment, runners } = runnersSchema.parse(JSON.parse(readFileSync(join(assetsDirectory(), 'runners.json'), 'utf8')));
  const { command, files } = runners[options.runner];
  return { command: command.map((word) => word.replaceAll('{assets}', options.assets)), environment, files };
}

/** True for a runner of Node.js, whose tests find packages by the names that `package.json` files give. */
export function runsInNode(runner: TestRunner): boolean {
  return runner !== 'pytest';
}

/** The npm package that a runner is, where it is one. */
export function runnerPackage(runner: TestRunner): string | undefined {
  return runner === 'node-test' || runner === 'pytest' ? undefined : runner;
}
