import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@tadpole/contracts';
import { writeTask } from '@tadpole/task-runtime';
import { gitPatch } from '@tadpole/taskpilot';

const FILE = 'max.js';
const source = (called: string) => `'use strict';

exports.largest = (first, second) => Math.${called}(first, second);
`;

/** A task small enough for a model of 135 million parameters: one file, one wrong word, and the words to exchange. */
export async function maximumTask({ folder }: { folder: string }): Promise<Task> {
  const workspace = join(folder, 'workspace');
  const hidden = join(folder, 'hidden');
  await mkdir(workspace, { recursive: true });
  await mkdir(join(hidden, 'test'), { recursive: true });
  await writeFile(join(workspace, FILE), source('min'));
  await writeFile(
    join(hidden, 'test/max.test.js'),
    `const test = require('node:test');
const assert = require('node:assert');
const { largest } = require('../max.js');
test('the larger of two numbers', () => assert.strictEqual(largest(2, 3), 3));
`,
  );
  return writeTask({
    data: {
      id: 'maximum',
      instruction: 'In the file max.js, replace "Math.min" with "Math.max".',
      environment: { dependencies: [], workspacePath: '/workspace' },
      limits: {
        ...{ processes: 64, memoryBytes: 2 ** 29, cpuSeconds: 10, timeoutMs: 10_000 },
        ...{ fileBytes: 2 ** 24, writtenBytes: 2 ** 27, writtenFiles: 20_000, outputBytes: 2 ** 18 },
      },
      verifier: {
        kind: 'tests',
        runner: 'node-test',
        testFiles: ['test/max.test.js'],
        failToPass: ['test/max.test.js::the larger of two numbers'],
        passToPass: [],
        protectedPaths: ['test'],
        timeoutMs: 10_000,
      },
      lineage: {
        kind: 'generated',
        generator: 'hand',
        operator: 'exchange-function',
        source: 'real-model@1',
        licence: 'MIT',
        snapshotHash: 'none',
        file: FILE,
        line: 3,
        statementRung: 'quoted-line',
      },
    },
    workspace,
    hiddenFiles: { directory: hidden, paths: ['test/max.test.js'] },
    goldPatch: gitPatch({ files: [{ path: FILE, before: source('min'), after: source('max') }] }),
    certificate: { taskId: 'maximum', gates: [], hiddenTestsHash: 'none' },
    into: join(folder, 'tasks'),
  });
}
