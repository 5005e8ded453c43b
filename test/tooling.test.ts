import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const depcruise = path.join(root, 'node_modules/.bin/depcruise');

/** A small tree with the shape of this repository, in which every import is allowed. */
const allowed: Readonly<Record<string, string>> = {
  'packages/contracts/src/index.ts': `export type { Task } from './task.js';\n`,
  'packages/contracts/src/task.ts': `import { z } from 'zod';\nexport type Task = z.infer<typeof schema>;\nconst schema = z.string();\n`,
  'packages/leaf-harness/src/index.ts': `import type { Task } from '@tadpole/contracts';\nexport const run = (task: Task): Task => task;\n`,
  'packages/leaf-harness/test/run.test.ts': `import { run } from '../src/index.js';\nrun('task');\n`,
  'packages/taskpilot/src/index.ts': `export type { Task } from '@tadpole/contracts';\n`,
  'packages/tadpole/src/index.ts': `export { run } from '@tadpole/leaf-harness';\nexport type { Task } from '@tadpole/taskpilot';\n`,
  'test/whole.test.ts': `import { run } from '@tadpole/leaf-harness';\nimport type { Task } from '@tadpole/taskpilot';\nrun('task' satisfies Task);\n`,
  'examples/rollout.ts': `import { run } from '@tadpole/leaf-harness';\nimport type { Task } from '@tadpole/taskpilot';\nrun('task' satisfies Task);\n`,
};

let tree: string;

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(tree, file)), { recursive: true });
    await writeFile(path.join(tree, file), content);
  }
}

/** Violations as `rule: from -> to`, sorted, as this repository's own rule file reports them. */
async function violations(): Promise<readonly string[]> {
  const output = await new Promise<string>((resolve, reject) => {
    const options = ['packages', 'examples', 'test', '--config', '.dependency-cruiser.mjs', '--output-type', 'json'];
    execFile(depcruise, options, { cwd: tree }, (error, stdout, stderr) => {
      // The exit code is the number of violations; without a report on stdout it is a failure of the tool.
      stdout === '' ? reject(new Error(`no report from dependency-cruiser: ${stderr}`, { cause: error })) : resolve(stdout);
    });
  });
  const report = JSON.parse(output) as { summary: { violations: { rule: { name: string }; from: string; to: string }[] } };
  return report.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
}

beforeEach(async () => {
  tree = await mkdtemp(path.join(tmpdir(), 'tadpole-tooling-'));
  for (const file of ['.dependency-cruiser.mjs', 'tsconfig.json']) {
    await cp(path.join(root, file), path.join(tree, file));
  }
  await write(allowed);
  await mkdir(path.join(tree, 'node_modules/@tadpole'), { recursive: true });
  await symlink(path.join(root, 'node_modules/zod'), path.join(tree, 'node_modules/zod'));
  for (const name of ['contracts', 'leaf-harness', 'taskpilot', 'tadpole']) {
    const manifest = {
      name: name === 'tadpole' ? name : `@tadpole/${name}`,
      type: 'module',
      exports: { '.': { '@tadpole/source': './src/index.ts' } },
    };
    await write({ [`packages/${name}/package.json`]: JSON.stringify(manifest) });
    await symlink(path.join(tree, 'packages', name), path.join(tree, 'node_modules', manifest.name));
  }
});

afterEach(async () => {
  await rm(tree, { recursive: true, force: true });
});

describe('the dependency rule', { timeout: 300_000 }, () => {
  it('lets packages import the contracts, and tadpole and the examples import packages', async () => {
    expect(await violations()).toEqual([]);
  });

  it('catches every way in which a package could reach a sibling', async () => {
    await write({
      'packages/leaf-harness/src/value.ts': `export * from '@tadpole/taskpilot';\n`,
      'packages/leaf-harness/src/type.ts': `import type { Task } from '@tadpole/taskpilot';\nexport type Again = Task;\n`,
      'packages/leaf-harness/src/dynamic.ts': `export const load = () => import('@tadpole/taskpilot');\n`,
      'packages/leaf-harness/src/up.ts': `export { run } from 'tadpole';\n`,
      'packages/leaf-harness/test/sibling.test.ts': `import '@tadpole/taskpilot';\n`,
    });
    expect(await violations()).toEqual([
      'contracts-only: packages/leaf-harness/src/dynamic.ts -> packages/taskpilot/src/index.ts',
      'contracts-only: packages/leaf-harness/src/type.ts -> packages/taskpilot/src/index.ts',
      'contracts-only: packages/leaf-harness/src/up.ts -> packages/tadpole/src/index.ts',
      'contracts-only: packages/leaf-harness/src/value.ts -> packages/taskpilot/src/index.ts',
      'contracts-only: packages/leaf-harness/test/sibling.test.ts -> packages/taskpilot/src/index.ts',
    ]);
  });

  it('catches contracts that lean on a package, paths round an entry, tests in the source and imports that lead nowhere', async () => {
    await write({
      'packages/contracts/src/lean.ts': `export { run } from '@tadpole/leaf-harness';\n`,
      'packages/leaf-harness/src/round.ts': `export type { Task } from '../../contracts/src/task.js';\n`,
      'packages/taskpilot/src/nowhere.ts': `export { x } from '@tadpole/evaluation';\n`,
      'packages/taskpilot/src/tested.ts': `export * from '../test/double.js';\n`,
      'packages/taskpilot/test/double.ts': `export const double = 1;\n`,
    });
    expect(await violations()).toEqual([
      'contracts-alone: packages/contracts/src/lean.ts -> packages/leaf-harness/src/index.ts',
      'contracts-only: packages/contracts/src/lean.ts -> packages/leaf-harness/src/index.ts',
      'resolvable: packages/taskpilot/src/nowhere.ts -> @tadpole/evaluation',
      'source-without-tests: packages/taskpilot/src/tested.ts -> packages/taskpilot/test/double.ts',
      'through-the-entry: packages/leaf-harness/src/round.ts -> packages/contracts/src/task.ts',
    ]);
  });
});
