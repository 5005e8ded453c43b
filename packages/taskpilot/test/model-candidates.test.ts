import type { Candidate, Snapshot } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { createModelGenerator } from '../src/index.js';
import { generatorConformance } from '../src/testing/index.js';
import { validateCandidate } from '../src/validate/validate-candidate.js';
import { askedFunction, bugAnswer, type ModelRequest, modelServer, says } from './support/model-server.js';
import { proposeWithModel } from './support/propose-with-model.js';
import { sampleFiles, sampleLimits, sampleSnapshot } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';

const validate = (candidate: Candidate, snapshot: Snapshot) =>
  validateCandidate({ snapshot, candidate, executor: createNodeTestExecutor(), limits: sampleLimits, random: () => 0 });

const hiddenTest = (expected: number) => `const test = require('node:test');
const assert = require('node:assert');
const list = require('../lib/list.js');
test('takes the middle value', () => { assert.strictEqual(typeof list.median, 'function'); assert.strictEqual(list.median([10, 9, 2]), ${expected}); });
`;
/** A right answer to the question for a task, of the type that was asked for. */
const median = ({ body }: ModelRequest) => ({
  taskType: /of the kind "([\w-]+)"/.exec(body.messages[0]!.content)![1],
  statement: 'Let `lib/list.js` give `median(values)`, the middle value of a list: of [10, 9, 2] it is 9.',
  solution: [
    {
      file: 'lib/list.js',
      oldText: 'module.exports = { sum, mean };',
      newText: "module.exports = { sum, mean, ...require('./median.js') };",
    },
    {
      file: 'lib/median.js',
      content: `'use strict';

exports.median = function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
};
`,
    },
  ],
  hiddenTests: [{ file: 'test/median.test.js', content: hiddenTest(9) }],
});
type Median = ReturnType<typeof median>;

const proposeMedian = (change: (answer: Median) => Partial<Median>, proposals = 1) => {
  const answer = (request: ModelRequest) => {
    const whole = median(request);
    return says(JSON.stringify({ ...whole, ...change(whole) }));
  };
  return proposeWithModel({ kind: 'written', script: Array(proposals).fill(answer) });
};

describe('the kind written', () => {
  test('gives a task that the gates hold valid', async () => {
    const { candidates, received, snapshot } = await proposeMedian(() => ({}));
    const [candidate] = candidates as [Candidate];
    const taskType = /of the kind "([\w-]+)"/.exec(received[0]!.body.messages[0]!.content)![1];
    expect(candidate.lineage).toEqual({ generator: 'model-written', operator: 'model-written', file: 'lib/list.js', line: 15, taskType });
    const result = await validate(candidate, snapshot);
    if (result.status !== 'valid') throw new Error(`${result.reason}: ${result.detail}`);
    expect(result.draft.data.verifier.failToPass).toEqual(['test/median.test.js::takes the middle value']);
    expect(result.draft.data.lineage.statementRung).toBe('written');
  });

  test.each<[string, (answer: Median) => Partial<Median>, string]>([
    [
      'tests that pass before',
      () => ({ hiddenTests: [{ file: 'test/median.test.js', content: "require('node:test')('passes', () => {});\n" }] }),
      'not-killed',
    ],
    ['tests that fail after', () => ({ hiddenTests: [{ file: 'test/median.test.js', content: hiddenTest(10) }] }), 'gold-fails'],
    [
      'a leaking statement',
      ({ statement }) => ({ statement: `${statement} Write: return sorted[Math.floor(sorted.length / 2)];` }),
      'leaky-statement',
    ],
  ])('is refused by the gates for %s', async (_, change, reason) => {
    const { candidates, snapshot, outcomes } = await proposeMedian(change);
    expect(outcomes).toEqual(['accepted']);
    expect(await validate(candidates[0]!, snapshot)).toMatchObject({ status: 'refused', reason });
  });

  test.each<[string, (answer: Median) => Partial<Median>, string]>([
    ['another task type', ({ taskType }) => ({ taskType: taskType === 'refactor' ? 'feature' : 'refactor' }), 'wrong-schema'],
    ['no test', () => ({ hiddenTests: [] }), 'wrong-schema'],
    ['an empty statement', () => ({ statement: ' ' }), 'wrong-schema'],
    ['a test in the place of another', () => ({ hiddenTests: [{ file: 'test/list.test.js', content: hiddenTest(9) }] }), 'wrong-file'],
    ['a test outside', () => ({ hiddenTests: [{ file: '../median.test.js', content: hiddenTest(9) }] }), 'wrong-file'],
    ['a test below a file', () => ({ hiddenTests: [{ file: 'lib/list.js/a.js', content: hiddenTest(9) }] }), 'wrong-file'],
    ['a test that is a part of the solution', () => ({ hiddenTests: [{ file: 'lib/median.js', content: hiddenTest(9) }] }), 'wrong-file'],
    [
      'a test below another',
      ({ hiddenTests }) => ({ hiddenTests: [...hiddenTests, { file: 'test/median.test.js/a.js', content: hiddenTest(9) }] }),
      'wrong-file',
    ],
    ['a solution in a test', ({ solution }) => ({ solution: [...solution, { file: 'test/x.js', content: 'x' }] }), 'wrong-file'],
    ['a solution in another file', ({ solution }) => ({ solution: [...solution, { file: 'package.json', content: '{}' }] }), 'wrong-file'],
    [
      'a file written whole and changed',
      ({ solution }) => ({ solution: [...solution, { file: 'lib/list.js', content: 'x' }] }),
      'overlapping-edits',
    ],
    ['a file as it was', () => ({ solution: [{ file: 'lib/list.js', content: sampleFiles['lib/list.js']! }] }), 'no-change'],
  ])('is refused by its reading for %s', async (_, change, reason) => {
    const { outcomes } = await proposeMedian(change, 2);
    expect(outcomes).toEqual([`repaired: ${reason}`, `refused: ${reason}`]);
  });

  test('shows the model one test file and no more of them', async () => {
    const { received } = await proposeMedian(() => ({}));
    const text = received[0]!.body.messages[0]!.content;
    expect(['test/list.test.js\n```', 'test/range.test.js\n```'].filter((head) => text.includes(head))).toHaveLength(1);
  });
});

describe('the kind bug', () => {
  test('gives tasks that the gates hold valid, and shows the model no test', async () => {
    const { candidates, received, snapshot } = await proposeWithModel({ script: (request) => says(bugAnswer(request)), proposals: 5 });
    const results = await Promise.all(candidates.slice(0, 2).map((candidate) => validate(candidate, snapshot)));
    expect([candidates.length, ...results.map(({ status }) => status)]).toEqual([5, 'valid', 'valid']);
    expect(JSON.stringify(received)).not.toMatch(/assert|node:test|holds its ends/);
  });

  test('keeps the line ends of a file that has the other ones', async () => {
    const files = { ...sampleFiles, 'lib/list.js': sampleFiles['lib/list.js']!.replaceAll('\n', '\r\n') };
    const snapshot = sampleSnapshot({ files, sourceFiles: ['lib/list.js'] });
    const [oldText, newText] = ['    total += value;\n  }\n', '    total = value;\n  }\n'];
    const answer = JSON.stringify({ file: 'lib/list.js', oldText, newText, why: 'The last value wins.' });
    const script = (request: ModelRequest) => (askedFunction(request) === 'sum' ? says(answer) : says(bugAnswer(request)));
    const { candidates } = await proposeWithModel({ script, snapshot, proposals: 2 });
    expect(candidates.map(({ edits }) => edits[0])).toContainEqual(
      expect.objectContaining({ file: 'lib/list.js', text: '    total = value;\r\n  }\r\n' }),
    );
  });
});

describe('the kind reimplement', () => {
  test('hides the body, and what is written in its place is the candidate', async () => {
    const codes: Readonly<Record<string, string>> = {
      contains: 'function contains(low, high, value) {\n  return low <= value && value < high;\n}',
      clamp: 'function clamp(low, high, value) {\n  return Math.min(low, Math.max(high, value));\n}',
      width: 'function width(low, high) {\n  return high - low;\n}',
      sum: 'function sum(values) {\n  return values.reduce((left, right) => left + right);\n}',
      mean: 'function mean(values) {\n  return sum(values) / values.length;\n}',
    };
    const { candidates, received, snapshot } = await proposeWithModel({
      kind: 'reimplement',
      script: (request) => says(JSON.stringify({ code: codes[askedFunction(request)] })),
      proposals: 5,
    });
    const own: Readonly<Record<string, string>> = {
      contains: 'value >= low',
      clamp: '!contains',
      width: 'Math.max',
      sum: 'total +=',
      mean: '? 0',
    };
    for (const request of received) {
      const { content } = request.body.messages[0]!;
      expect(content).not.toContain(own[askedFunction(request)]!);
      expect(content).toContain('<body>');
    }
    const results = await Promise.all(candidates.slice(0, 2).map((candidate) => validate(candidate, snapshot)));
    expect([candidates.length, ...results.map(({ status }) => status)]).toEqual([5, 'valid', 'valid']);
  });

  test.each<[string, (name: string) => string, string]>([
    ['another signature', (name) => `function ${name}() { return 0; }`, 'wrong-signature'],
    ['a function that is the old one', (name) => oldCode(name), 'no-change'],
  ])('is refused for %s', async (_, code, reason) => {
    const answer = (request: ModelRequest) => says(JSON.stringify({ code: code(askedFunction(request)) }));
    const { outcomes } = await proposeWithModel({ kind: 'reimplement', script: [answer, answer] });
    expect(outcomes).toEqual([`repaired: ${reason}`, `refused: ${reason}`]);
  });
});

describe('the kind feature-breaks', () => {
  const feature = {
    feature: 'An open upper end.',
    changes: [
      { file: 'lib/range.js', oldText: 'value <= high', newText: '(high === undefined || value < high)' },
      { file: 'lib/list.js', oldText: 'values.length === 0 ? 0 :', newText: '' },
    ],
  };

  test('gives a bug of several places, whose solution is the snapshot', async () => {
    const { candidates, snapshot } = await proposeWithModel({ kind: 'feature-breaks', script: [says(JSON.stringify(feature))] });
    const [candidate] = candidates as [Candidate];
    expect(candidate.edits).toHaveLength(2);
    expect(candidate.solution).toBeUndefined();
    const result = await validate(candidate, snapshot);
    if (result.status !== 'valid') throw new Error(`${result.reason}: ${result.detail}`);
    expect(result.draft.data.verifier.failToPass).toEqual([
      'test/list.test.js::averages nothing to zero',
      'test/range.test.js::holds its ends',
    ]);
  });

  test('is refused by the gates where no test breaks', async () => {
    const harmless = { ...feature, changes: [{ file: 'lib/range.js', oldText: "'wide' : 'empty'", newText: "'wide' : 'none'" }] };
    const { candidates, snapshot } = await proposeWithModel({ kind: 'feature-breaks', script: [says(JSON.stringify(harmless))] });
    expect(await validate(candidates[0]!, snapshot)).toMatchObject({ status: 'refused', reason: 'not-killed' });
  });

  test.each<[string, object[], string]>([
    ['changes of the same text', [feature.changes[0]!, { ...feature.changes[0]!, oldText: 'low && value <= high' }], 'overlapping-edits'],
    ['a new file', [{ file: 'lib/new.js', oldText: 'a', newText: 'b' }], 'wrong-file'],
    ['no change', [], 'wrong-schema'],
  ])('is refused for %s', async (_, changes, reason) => {
    const answer = says(JSON.stringify({ ...feature, changes }));
    const { outcomes } = await proposeWithModel({ kind: 'feature-breaks', script: [answer, answer] });
    expect(outcomes).toEqual([`repaired: ${reason}`, `refused: ${reason}`]);
  });
});

test('a snapshot that holds nothing to ask about ends the proposals', async () => {
  const { received } = await proposeWithModel({ script: [], snapshot: sampleSnapshot({ sourceFiles: [] }) });
  expect(received).toEqual([]);
});

describe.each(['bug', 'written'] as const)('a generator of the kind %s', (kind) => {
  const names = [
    'two trees differ',
    'apart from the sources',
    'names itself',
    'same randomness',
    'stopped early',
    'code aborted',
    'leaves',
  ];
  test.each(names)('keeps the contract of generators: %s', async (name) => {
    const answer = (request: ModelRequest) => {
      if (kind === 'bug') return says(bugAnswer(request));
      const { seed } = request.body;
      const whole = median(request);
      return says(JSON.stringify({ ...whole, hiddenTests: [{ file: `test/median-${seed}.test.js`, content: hiddenTest(9) }] }));
    };
    const server = await modelServer(answer);
    const generator = createModelGenerator({ kind, endpoint: { baseURL: server.baseURL, model: 'scripted' }, proposals: 12 });
    const found = generatorConformance({ generator, snapshot: sampleSnapshot() }).filter((one) => one.name.includes(name));
    expect(found).toHaveLength(1);
    await found[0]!.run();
  });
});

function oldCode(name: string): string {
  const text = Object.values(sampleFiles).find((file) => file.includes(`function ${name}(`))!;
  const start = text.indexOf(`function ${name}(`);
  return text.slice(start, text.indexOf('\n}\n', start) + 2);
}
