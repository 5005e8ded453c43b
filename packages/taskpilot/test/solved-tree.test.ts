import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { writeAgentTree, writeHiddenTree } from '../src/admit/write-agent-tree.js';
import { validateCandidate } from '../src/validate/validate-candidate.js';
import { sampleFiles, sampleLimits, sampleSnapshot, writeProject } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';

const list = sampleFiles['lib/list.js']!;
const median = `${list.replace('module.exports', "const { median } = require('./median.js');\n\nmodule.exports").replace('mean };', 'mean, median };')}`;
const medianFile = `'use strict';

exports.median = function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
};
`;
const hiddenTest = `const test = require('node:test');
const assert = require('node:assert');
const list = require('../lib/list.js');
test('takes the middle value', () => { assert.strictEqual(typeof list.median, 'function'); assert.strictEqual(list.median([10, 9, 2]), 9); });
`;
/** A feature: the agent gets the snapshot, the solution adds a function and a file. */
const feature: Candidate = {
  edits: [],
  solution: [
    { file: 'lib/list.js', content: median },
    { file: 'lib/median.js', content: medianFile },
  ],
  hiddenTests: [{ file: 'test/median.test.js', content: hiddenTest }],
  statement: 'Add a function that gives the middle value of a list, as `median` of `lib/list.js`: of [10, 9, 2] it is 9.',
  lineage: { generator: 'test', operator: 'add-median', file: 'lib/list.js', line: 1, taskType: 'feature' },
};
const validate = (candidate: Candidate, snapshot = sampleSnapshot()) =>
  validateCandidate({ snapshot, candidate, executor: createNodeTestExecutor(), limits: sampleLimits, random: () => 0 });

describe('a candidate with a solution of its own', () => {
  test('is a task whose agent gets the snapshot and whose hidden tests are its own', async () => {
    const snapshot = sampleSnapshot();
    const result = await validate(feature, snapshot);
    if (result.status !== 'valid') throw new Error(`${result.reason}: ${result.detail}`);
    const { draft } = result;
    expect(draft.data.verifier.failToPass).toEqual(['test/median.test.js::takes the middle value']);
    expect(draft.data.verifier.passToPass).toHaveLength(8);
    expect(draft.data.instruction).toBe(feature.statement);
    expect(draft.data.lineage).toMatchObject({ statementRung: 'written', taskType: 'feature' });
    expect(draft.bugPatch).toBe('');
    expect(draft.goldPatch).toContain('new file mode 100644\n--- /dev/null\n+++ b/lib/median.js');
    const [agent, hidden] = [join(writeProject({}), 'agent'), join(writeProject({}), 'hidden')];
    await writeAgentTree({ snapshot, draft, into: agent });
    expect(readFileSync(join(agent, 'lib/list.js'), 'utf8')).toBe(list);
    expect([existsSync(join(agent, 'lib/median.js')), existsSync(join(agent, 'test'))]).toEqual([false, false]);
    const { paths } = await writeHiddenTree({ snapshot, draft, into: hidden });
    expect(paths).toEqual(['test/list.test.js', 'test/median.test.js', 'test/range.test.js']);
    expect(readFileSync(join(hidden, 'test/median.test.js'), 'utf8')).toBe(hiddenTest);
  });

  test('can take a file away from the agent, which the gold patch brings back', async () => {
    const files = { ...sampleFiles, 'lib/list.js': median, 'lib/median.js': medianFile, 'test/median.test.js': hiddenTest };
    const baseline = [
      ...sampleSnapshot().baseline,
      {
        id: 'test/median.test.js::takes the middle value',
        file: 'test/median.test.js',
        name: 'takes the middle value',
        status: 'passed' as const,
      },
    ];
    const removal: Candidate = {
      edits: [
        { file: 'lib/list.js', content: list },
        { file: 'lib/median.js', content: null },
      ],
      lineage: { generator: 'test', operator: 'remove-median', file: 'lib/list.js', line: 1 },
    };
    const snapshot = sampleSnapshot({ files, baseline });
    const result = await validate(removal, snapshot);
    if (result.status !== 'valid') throw new Error(`${result.reason}: ${result.detail}`);
    expect(result.draft.agentFiles).toEqual([
      { path: 'lib/list.js', text: list },
      { path: 'lib/median.js', text: null },
    ]);
    const agent = join(writeProject({}), 'agent');
    await writeAgentTree({ snapshot, draft: result.draft, into: agent });
    expect(existsSync(join(agent, 'lib/median.js'))).toBe(false);
  });

  test.each<[string, Partial<Candidate>, string]>([
    [
      'tests that pass without it',
      { hiddenTests: [{ file: 'test/median.test.js', content: "require('node:test')('passes', () => {});\n" }] },
      'not-killed',
    ],
    [
      'tests that fail with it',
      { hiddenTests: [{ file: 'test/median.test.js', content: hiddenTest.replace('), 9)', '), 10)') }] },
      'gold-fails',
    ],
    [
      'a solution that breaks what worked',
      { solution: [{ file: 'lib/list.js', content: median.replace('total += value', 'total -= value') }, feature.solution![1]!] },
      'gold-fails',
    ],
    [
      'tests that do not load without it',
      { hiddenTests: [{ file: 'test/median.test.js', content: hiddenTest.replace('../lib/list.js', '../lib/median.js') }] },
      'crashed',
    ],
    ['a solution that is the snapshot', { solution: [{ file: 'lib/list.js', content: list }] }, 'no-change'],
    ['a solution that edits tests', { solution: [...feature.solution!, { file: 'test/list.test.js', content: '' }] }, 'hidden-file-edited'],
    ['a statement that gives lines of it', { statement: 'Write: return sorted[Math.floor(sorted.length / 2)];' }, 'leaky-statement'],
  ])('is refused for %s', async (_, change, reason) => {
    expect(await validate({ ...feature, ...change })).toMatchObject({ status: 'refused', reason });
  });

  test('is refused when another file of the agent holds its lines', async () => {
    const files = { ...sampleFiles, 'docs/old.md': `Once it was:\n\n${medianFile.replaceAll('  ', '    ')}` };
    expect(await validate(feature, sampleSnapshot({ files }))).toMatchObject({ status: 'refused', reason: 'leaky-tree' });
  });
});
