import type { Candidate } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { rewriteStatement } from '../src/validate/task-draft.js';
import { replaceIn, validate, withRange } from './support/validate-range.js';

describe('a candidate is under-specified', () => {
  const source = 'const step = 1;\nexports.range = (low, high) => [low, high - step];\n';
  const candidate = replaceIn(source, 'step = 1', 'step = 2');

  test.each([
    ['no input of its tests can be cut out', { test: 'for (const high of [3, 4]) assert.deepStrictEqual(range(1, high), [1, high - 1]);' }],
    [
      'the input alone does not give what the test saw',
      { setup: 'let high = 0;\ntest.beforeEach(() => { high = 3; });\n', test: 'assert.deepStrictEqual(range(1, high), [1, 2]);' },
    ],
  ])('when %s', async (_, file) => {
    const { result, gates } = await validate({ snapshot: withRange({ source, ...file }), candidate, rung: 'example' });
    expect(result).toMatchObject({ status: 'refused', reason: 'under-specified' });
    expect(gates.at(-1)).toBe('not example-reproduces');
  });

  test.each(['contract', 'function'] as const)('when nothing is known for the %s rung', async (rung) => {
    const snapshot = withRange({ source, test: 'assert.deepStrictEqual(range(1, 3), [1, 2]);' });
    const { result, gates } = await validate({ snapshot, candidate, rung });
    expect(result).toMatchObject({
      status: 'refused',
      reason: 'under-specified',
      detail: expect.stringContaining('only for symptom, file, example'),
    });
    expect(gates.slice(-2)).toEqual(['example-reproduces', 'not statement-determines-behaviour']);
    expect((await validate({ snapshot, candidate, rung: 'example' })).result.status).toBe('valid');
  });
});

describe('tests that ask for a text that the agent cannot know', () => {
  const source =
    "exports.range = (low, high) => {\n  if (low > high) throw new RangeError('low is above high');\n  return [low, high];\n};\n";
  const snapshot = () => withRange({ source, test: 'assert.throws(() => range(2, 1), /low is above high/);' });
  const candidate = replaceIn(source, 'low is above high', 'no');

  test('refuse a written statement that does not say it, and let one pass that does', async () => {
    const silent = await validate({
      snapshot: snapshot(),
      candidate: { ...candidate, statement: 'A range whose ends are exchanged needs a better message.' },
    });
    expect(silent.result).toMatchObject({ status: 'refused', reason: 'over-tight-tests' });
    expect(silent.gate('tests-ask-no-more')?.evidence).toMatchObject({
      asked: [{ test: 'test/range.test.js::counts', line: 4, kind: 'message', text: 'low is above high' }],
    });
    const told = await validate({
      snapshot: snapshot(),
      candidate: { ...candidate, statement: 'A range whose ends are exchanged must say: low is above high.' },
    });
    expect(told.gates.at(-1)).toBe('tests-ask-no-more');
  });

  test('do not refuse the old rungs, and the example says the text itself', async () => {
    const { result } = await validate({ snapshot: snapshot(), candidate, rung: 'line', examples: 'always' });
    if (result.status !== 'valid') throw new Error(`${result.reason}: ${result.detail}`);
    const { draft } = result;
    expect(rewriteStatement({ draft, rung: 'example' }).data.instruction).toContain('an error that fits `/low is above high/`');
  });
});

test('a statement in prose that holds the words of the fix is refused', async () => {
  const statement = 'Take the total of all values and then divide by the length of the values, unless the count is empty: zero then.';
  const source =
    'exports.range = (values) => {\n  const total = sum(values);\n  const count = length(values);\n  return divide(total, count, zero);\n};\n';
  const snapshot = withRange({
    source: `const sum = (v) => v[0];\nconst length = (v) => v.length;\nconst divide = (a, b, zero) => (b === 0 ? zero : a / b);\nconst zero = 0;\n${source}`,
    test: 'assert.strictEqual(range([4, 4]), 2);',
  });
  const candidate: Candidate = {
    edits: [{ file: 'lib/range.js', content: `exports.range = () => 1;\n` }],
    statement,
    lineage: { generator: 'test', operator: 'test-operator', file: 'lib/range.js', line: 1 },
  };
  const { result } = await validate({ snapshot, candidate });
  expect(result).toMatchObject({ status: 'refused', reason: 'leaky-statement', detail: expect.stringMatching(/^words of the gold patch/) });
});
