import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashTree, readCertificate, readTask } from '@tadpole/task-runtime';
import { describe, expect, it } from 'vitest';
import { tadpole, temporaryFolder } from './tiny-recipe.js';

const nodeModules = fileURLToPath(new URL('../node_modules', import.meta.url));

/** A real package as a folder of its own: no configuration, nothing that says what its tests are. */
function bareFolder(): string {
  const folder = join(temporaryFolder(), 'repository');
  cpSync(join(nodeModules, 'sorted-array-functions'), folder, { recursive: true });
  return folder;
}

describe('tadpole synth', () => {
  it('makes tasks of a bare folder, which it leaves as it was, and their certificates hold', async () => {
    const folder = bareFolder();
    const before = await hashTree(folder);
    const out = join(temporaryFolder(), 'tasks');
    const { code, stdout } = await tadpole(['synth', folder, '--out', out, '--count', '2', '--node-modules', nodeModules, '--json']);
    const { tasks, operators, measured } = JSON.parse(stdout) as {
      tasks: string[];
      operators: Record<string, { valid: number; proposed: number }>;
      measured: number;
    };
    expect([code, measured]).toEqual([0, 0]);
    expect(tasks).toHaveLength(2);
    expect(readdirSync(out).sort()).toEqual(tasks.map((task) => task.slice(out.length + 1)).sort());
    expect(Object.values(operators).reduce((sum, { valid }) => sum + valid, 0)).toBe(2);
    expect(await hashTree(folder)).toBe(before);
    for (const task of tasks) {
      const { data } = await readTask(task);
      expect(data.verifier).toMatchObject({ kind: 'tests', runner: 'tape' });
      const gates = (await readCertificate(task)).gates.map(({ name }) => name);
      expect(gates).toEqual(expect.arrayContaining(['fails-before', 'passes-after', 'wrong-fixes-fail', 'other-fixes-pass']));
    }
    expect((await tadpole(['task', 'verify', tasks[0]!])).code).toBe(0);
  });

  it('makes the same tasks of the same seed, and goes on where they stand', async () => {
    const folder = bareFolder();
    const out = join(temporaryFolder(), 'tasks');
    const once = async (count: string) => {
      const words = ['synth', folder, '--out', out, '--count', count, '--seed', '7', '--node-modules', nodeModules, '--json'];
      return (JSON.parse((await tadpole(words)).stdout) as { tasks: string[] }).tasks;
    };
    const [first] = await once('1');
    expect((await once('2'))[0]).toBe(first);
    expect(readdirSync(out)).toHaveLength(2);
  });

  it('refuses a folder without tests, one that is not there and counts that are none, and writes nothing', async () => {
    const empty = join(temporaryFolder(), 'empty');
    mkdirSync(empty);
    writeFileSync(join(empty, 'package.json'), '{ "name": "empty", "version": "1.0.0", "license": "MIT" }');
    const out = join(temporaryFolder(), 'tasks');
    for (const words of [[empty], [join(empty, 'nowhere')], [empty, '--count', '0'], [empty, '--seed', '-1']]) {
      const { code, stderr } = await tadpole(['synth', ...words, '--out', out]);
      expect(code).toBe(2);
      expect(stderr).not.toBe('');
    }
    expect(existsSync(out)).toBe(false);
  });

  it('ends with exit code 1 when a folder gives fewer tasks than asked for', async () => {
    const folder = join(temporaryFolder(), 'small');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'package.json'),
      '{ "name": "small", "version": "1.0.0", "license": "MIT", "scripts": { "test": "node --test" } }',
    );
    writeFileSync(join(folder, 'index.js'), "'use strict';\nexports.isAbove = (x) => x > 3;\n");
    const test = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { isAbove } = require('./index.js');\n";
    writeFileSync(
      join(folder, 'test.js'),
      `${test}test('above', () => assert.strictEqual(isAbove(4), true));\ntest('not above', () => assert.strictEqual(isAbove(3), false));\ntest('far', () => assert.strictEqual(isAbove(-9), false));\n`,
    );
    const { code, stdout } = await tadpole(['synth', folder, '--out', join(temporaryFolder(), 'tasks'), '--count', '50']);
    expect(code).toBe(1);
    const tasks = Number(/^(\d+) tasks in /m.exec(stdout)?.[1]);
    expect(tasks).toBeGreaterThan(0);
    expect(tasks).toBeLessThan(50);
    expect(stdout).toMatch(/^Nothing was measured: .* --base-url and --model, --embedded or --repairer\.$/m);
  });
});
