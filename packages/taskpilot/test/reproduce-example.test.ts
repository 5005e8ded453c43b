import type { TestResult, TestRun } from '@tadpole/contracts';
import { expect, test } from 'vitest';
import { reproduceExample } from '../src/validate/reproduce-example.js';
import { sampleSnapshot } from './support/sample-project.js';
import { createScriptedExecutor } from './support/test-executors.js';

const file = 'test/range.test.js';
const agentEdits = [{ file: 'lib/range.js', content: 'agent' }];

/** Reproduces an assertion that fails with `failure` in its test and by itself, or with `alone`. */
async function reproduce(
  assertion: string,
  failure: Partial<TestResult>,
  alone: Partial<TestResult> | TestRun = failure,
  solved: Partial<TestResult> = { status: 'passed' },
  isExact = true,
) {
  const text = `const { contains } = require('../lib/range.js');\ntest('holds', (t) => { ${assertion} });\n`;
  const result = (change: Partial<TestResult>): TestRun => {
    const test: TestResult = { id: 'x::example 0', file: 'x', name: 'example 0', status: 'failed', kind: 'assertion', ...change };
    const exact: TestResult = { id: 'x::exact 0', file: 'x', name: 'exact 0', status: isExact ? 'passed' : 'failed' };
    return { status: 'completed', tests: [test, exact], output: '', durationMs: 1 };
  };
  const executor = createScriptedExecutor('output' in alone ? [alone] : [result(alone), result(solved)]);
  const failures = [{ id: `${file}::holds`, file, name: 'holds', status: 'failed' as const, ...failure }];
  const found = await reproduceExample({
    snapshot: sampleSnapshot(),
    executor,
    timeoutMs: 1000,
    agentEdits,
    solvedEdits: [],
    testFile: { file, text },
    failures,
  });
  executor.done();
  return { found, calls: executor.calls };
}

const values = { kind: 'assertion', expected: '1', observed: '2' } as const;

test('runs one file of its own, on the agent’s tree and then on the solved one', async () => {
  const { found, calls } = await reproduce('t.equal(contains(1), 1);', values);
  expect(found?.example).toMatchObject({ call: 'contains(1)', expected: '1', observed: '2', outcome: 'value' });
  const [own, ...rest] = calls.map(({ edits, testFiles }) => ({ edits: edits.map((edit) => edit.file), testFiles }));
  expect(own).toEqual({ edits: ['lib/range.js', 'test/tadpole-example.test.js'], testFiles: ['test/tadpole-example.test.js'] });
  expect(rest).toEqual([{ edits: ['test/tadpole-example.test.js'], testFiles: ['test/tadpole-example.test.js'] }]);
});

test.each<[string, string, Partial<TestResult>, { outcome: string; observed?: string }]>([
  [
    'the expected value first',
    't.equal(1, contains(1));',
    { kind: 'assertion', expected: '2', observed: '1' },
    { outcome: 'value', observed: '2' },
  ],
  [
    'truth',
    't.ok(contains(1));',
    { kind: 'assertion', message: 'The expression evaluated to a falsy value' },
    { outcome: 'value', observed: 'false' },
  ],
  ['a string in the place of a number', 't.equal(contains(1), 1);', { ...values, observed: "'1'" }, { outcome: 'type', observed: "'1'" }],
  [
    'a number in the place of a string',
    "t.equal(contains(1), '1');",
    { ...values, expected: "'1'", observed: '1' },
    { outcome: 'type', observed: '1' },
  ],
  [
    'a string, where the runner prints no quotes',
    "t.equal(contains(1), 'a');",
    { ...values, expected: 'a', observed: '1' },
    { outcome: 'value', observed: '1' },
  ],
  [
    'an exception',
    't.equal(contains(1), 1);',
    { kind: 'error', message: 'TypeError: a\nb' },
    { outcome: 'error', observed: 'TypeError: a' },
  ],
  ['no end', 't.equal(contains(1), 1);', { kind: 'error', message: 'Error: test timed out after 5000ms' }, { outcome: 'hang' }],
  [
    'no exception in node',
    't.throws(() => contains(1));',
    { kind: 'assertion', message: 'Missing expected exception.' },
    { outcome: 'no-error' },
  ],
  [
    'no exception in vitest',
    't.throws(() => contains(1));',
    { kind: 'assertion', message: 'expected [Function] to throw an error' },
    { outcome: 'no-error' },
  ],
  [
    'no exception in tape',
    't.throws(() => contains(1));',
    { kind: 'assertion', message: 'should throw', observed: 'undefined' },
    { outcome: 'no-error' },
  ],
  [
    'another exception, with its stack',
    't.throws(() => contains(1), /x/);',
    { kind: 'assertion', message: 'The input did not match', observed: 'RangeError: low\n    at x' },
    { outcome: 'other-error', observed: 'RangeError: low' },
  ],
  [
    'another exception, passed on',
    't.throws(() => contains(1), RangeError);',
    { kind: 'error', message: 'TypeError: a' },
    { outcome: 'other-error', observed: 'TypeError: a' },
  ],
])('tells %s', async (_, assertion, failure, seen) => {
  const example = (await reproduce(assertion, failure)).found?.example;
  expect({ outcome: example?.outcome, observed: example?.observed }).toEqual({ observed: undefined, ...seen });
});

test.each<[string, Partial<TestResult>, (Partial<TestResult> | TestRun)?, Partial<TestResult>?]>([
  ['it passes on the agent’s tree', values, { status: 'passed' }],
  ['it fails on the solved tree', values, values, values],
  ['it is missing from the solved tree', values, values, { status: 'missing' }],
  ['it sees another value than its test', values, { ...values, observed: '3' }],
  ['it throws where its test did not', values, { kind: 'error', message: 'TypeError: a' }],
  ['its values print alike', { ...values, observed: '1' }, { ...values, observed: '1' }],
  ['its file does not load', values, { status: 'crashed', output: '', durationMs: 1 }],
  ['its file does not end', values, { status: 'timed-out', output: '', durationMs: 1 }],
])('there is no example when %s', async (_, failure, alone, solved) => {
  expect((await reproduce('t.equal(contains(1), 1);', failure, alone, solved)).found).toBeNull();
});

test('there is no example when the value is only equal by conversion', async () => {
  expect((await reproduce('t.equal(contains(1), 1);', values, values, { status: 'passed' }, false)).found).toBeNull();
});

test('nothing is executed where no assertion can be cut out', async () => {
  const executor = createScriptedExecutor([]);
  const testFile = { file, text: 'not ( code' };
  const failures = [{ id: `${file}::holds`, file, name: 'holds', status: 'failed' as const }];
  expect(
    await reproduceExample({ snapshot: sampleSnapshot(), executor, timeoutMs: 1, agentEdits, solvedEdits: [], testFile, failures }),
  ).toBeNull();
});
