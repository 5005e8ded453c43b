// Write a task by hand, and prove its grader: the gold patch scores 1, an empty patch scores 0.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDependencyStore, createGrader, createNamespaceProvider, writeTask } from '@tadpole/task-runtime';
import { gitPatch } from '@tadpole/taskpilot';

const folder = await mkdtemp(join(tmpdir(), 'tadpole-example-'));
const workspace = join(folder, 'workspace');
const hidden = join(folder, 'hidden');
await mkdir(join(workspace, 'src'), { recursive: true });
await mkdir(join(hidden, 'test'), { recursive: true });
const source = (comparison: string) => `'use strict';

function clamp(x, low, high) {
  if (x ${comparison} low) return low;
  return x > high ? high : x;
}

exports.clamp = clamp;
`;
await writeFile(join(workspace, 'src/clamp.js'), source('>'));
await writeFile(
  join(hidden, 'test/clamp.test.js'),
  `const test = require('node:test');
const assert = require('node:assert');
const { clamp } = require('../src/clamp.js');
test('a value inside the range stays', () => assert.strictEqual(clamp(3, 0, 5), 3));
`,
);
const file = 'src/clamp.js';
const goldPatch = gitPatch({ files: [{ path: file, before: source('>'), after: source('<') }] });
const test = 'test/clamp.test.js::a value inside the range stays';
const limits = {
  ...{ processes: 64, memoryBytes: 2 ** 29, cpuSeconds: 10, timeoutMs: 10_000 },
  ...{ fileBytes: 2 ** 24, writtenBytes: 2 ** 27, writtenFiles: 20_000, outputBytes: 2 ** 18 },
};

const task = await writeTask({
  data: {
    id: 'clamp',
    instruction: 'Fix src/clamp.js lines 1-8. Line 4 is wrong: expected 3, got 0.\n4.   if (x > low) return low;',
    environment: { dependencies: [], workspacePath: '/workspace' },
    limits,
    verifier: {
      kind: 'tests',
      runner: 'node-test',
      testFiles: ['test/clamp.test.js'],
      failToPass: [test],
      passToPass: [],
      protectedPaths: ['test'],
      timeoutMs: 10_000,
    },
    lineage: { kind: 'written', author: 'me', licence: 'MIT' },
  },
  workspace,
  hiddenFiles: { directory: hidden, paths: ['test/clamp.test.js'] },
  goldPatch,
  into: process.argv[2] ?? join(folder, 'tasks'),
});

const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
const dependencyStore = createDependencyStore({ nodeModules: 'node_modules', into: join(folder, 'dependencies') });
const grader = createGrader({ provider, dependencyStore });
for (const [name, patch, expected] of [
  ['gold', goldPatch, 1],
  ['empty', '', 0],
] as const) {
  const outcome = await grader.grade({ task, patch });
  if (outcome.status !== 'scored' || outcome.reward !== expected) throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  console.log(`${name} patch: reward ${outcome.reward}`);
}
console.log(`task folder: ${task.directory}`);
