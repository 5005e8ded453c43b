import type { TestRunner } from '@tadpole/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import { shadowingPaths } from '../src/grading/shadowing-paths.js';
import { createGrader } from '../src/index.js';
import { createRuntime } from './runtime-fixture.js';

const runtime = createRuntime();
afterAll(() => runtime.close());
const grader = createGrader(runtime);

const checkJs = "exports.check = require('node:assert').strictEqual;\n";
const lowest = (framework: string, helper: string) => `${framework}
const { check } = require('${helper}');
const clamp = require('../lib/clamp.js');
test('low', () => check(clamp(-5, 0, 10), 0));
`;
const lowestPy = 'from lib.clamp import clamp\nfrom helper import check\ndef test_low(): check(clamp(-5, 0, 10), 0)\n';
const forgeJs = "echo 'exports.check = () => {}'";
const forgePy = "echo 'check = lambda *a: None'";

const gold = (isPython: boolean) =>
  isPython ? "sed -i '3s/high/low/' lib/clamp.py" : "sed -i '0,/return high/s//return low/' lib/clamp.js";

interface Case {
  name: string;
  runner: TestRunner;
  test: string;
  files: Readonly<Record<string, string>>;
  hiddenFiles?: Readonly<Record<string, string>>;
  protectedPaths: string[];
  command: string;
}

describe('a file of the task that a patch puts a neighbour beside', () => {
  it.each<Case>([
    {
      ...{ name: 'a test file before a package that claims its place', runner: 'pytest', test: 'test_base.py' },
      files: { 'test_base.py': 'from lib.clamp import clamp\ndef test_low(): assert clamp(-5, 0, 10) == 0\n' },
      protectedPaths: [],
      command: `mkdir test_base; printf 'import os\\n__file__ = os.path.dirname(os.path.dirname(__file__)) + "/test_base.py"\\ndef test_low(): pass\\n' > test_base/__init__.py`,
    },
    {
      ...{ name: 'a protected module before a package', runner: 'pytest', test: 'tests/test_h.py' },
      ...{ files: { 'helper.py': 'def check(a, b): assert a == b\n' }, hiddenFiles: { 'tests/test_h.py': lowestPy } },
      ...{ protectedPaths: ['helper.py'], command: `mkdir helper; ${forgePy} > helper/__init__.py` },
    },
    {
      ...{ name: 'a protected module before a file without an ending', runner: 'node-test', test: 'test/h.js' },
      files: { 'helper.js': checkJs },
      hiddenFiles: { 'test/h.js': lowest("const { test } = require('node:test');", '../helper') },
      ...{ protectedPaths: ['helper.js'], command: `${forgeJs} > helper` },
    },
    {
      ...{ name: 'protected data before a module', runner: 'jest', test: 'test/h.js' },
      files: { 'bounds.json': '{ "low": 0 }' },
      hiddenFiles: {
        'test/h.js':
          "const clamp = require('../lib/clamp.js');\ntest('low', () => expect(clamp(-5, 0, 10)).toBe(require('../bounds').low));\n",
      },
      ...{ protectedPaths: ['bounds.json'], command: "echo 'exports.low = 10;' > bounds.js" },
    },
    {
      ...{ name: 'a protected module before one of another language', runner: 'vitest', test: 'test/h.js' },
      files: { 'helper.ts': "import { expect } from 'vitest';\nexport const check = (a: number, b: number) => expect(a).toBe(b);\n" },
      hiddenFiles: {
        'test/h.js':
          "import { test } from 'vitest';\nimport { check } from '../helper';\nimport clamp from '../lib/clamp.js';\ntest('low', () => check(clamp(-5, 0, 10), 0));\n",
      },
      ...{ protectedPaths: ['helper.ts'], command: "echo 'export const check = () => {};' > helper.js" },
    },
  ])('is what grades all the same: $name', async ({ name, runner, test, files, hiddenFiles, protectedPaths, command }) => {
    const task = await runtime.makeTask({
      ...{ runner, files, hiddenFiles, id: name.replaceAll(' ', '-') },
      verifier: { testFiles: [test], failToPass: [`${test}::${runner === 'pytest' ? 'test_low' : 'low'}`], passToPass: [], protectedPaths },
    });
    const grade = async (commands: string) => grader.grade({ task, patch: await runtime.patchOf(task, commands) });
    expect(await grade(command)).toMatchObject({ status: 'scored', reward: 0, components: { failToPass: 0 } });
    expect(await grade(`${command}\n${gold(runner === 'pytest')}`)).toMatchObject({ status: 'scored', reward: 1 });
  });
});

describe('what stands in the place of a file', () => {
  const of = (options: Partial<Parameters<typeof shadowingPaths>[0]>) =>
    shadowingPaths({ hiddenFiles: [], restoredPaths: [], baseFiles: [], ...options });

  it('keeps the neighbours that the task has itself', () => {
    expect(of({ restoredPaths: ['helper.js'], baseFiles: ['helper.js', 'helper.css', 'helpers.js', 'helper/x.txt'] })).toEqual([
      { names: ['helper'], prefixes: ['helper.'], keep: ['helper.js', 'helper.css', 'helper'] },
    ]);
  });

  it('is the initial file of a folder that stands beside a module of Python', () => {
    expect(of({ restoredPaths: ['helper.py'], baseFiles: ['helper.py', 'helper/x.txt'] })).toEqual([
      { names: ['helper'], prefixes: ['helper.', 'helper/__init__.'], keep: ['helper.py', 'helper'] },
    ]);
  });

  it('is a file with the name of a folder that is found by its name, and of no other one at the top', () => {
    expect(of({ restoredPaths: ['helper'], baseFiles: ['helper/index.css'] })).toEqual([
      { names: [], prefixes: ['helper.'], keep: ['helper'] },
    ]);
    expect(of({ restoredPaths: ['assets/'], baseFiles: ['assets/logo.svg'] })).toEqual([]);
  });

  it('is nothing of installed packages, which are restored as a whole', () => {
    expect(of({ restoredPaths: ['node_modules'], baseFiles: ['node_modules/a/index.js'] })).toEqual([]);
  });
});
