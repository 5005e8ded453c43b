import type { Candidate, Snapshot, TestExecutor } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { availableRungs } from '../src/statement/write-statement.js';
import { rewriteStatement } from '../src/validate/task-draft.js';
import { type ValidationSettings, validateCandidate } from '../src/validate/validate-candidate.js';
import { createPytestExecutor } from './support/pytest-executor.js';
import { replaceInSample, sampleFiles, sampleLimits, sampleSnapshot } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';

const bug = replaceInSample({ before: 'value <= high', after: 'value < high' });
const framework = "const test = require('node:test');\nconst assert = require('node:assert');\n";

async function validate(options: Partial<ValidationSettings> & { candidate?: Candidate; snapshot?: Snapshot; executor?: TestExecutor }) {
  const common = {
    snapshot: sampleSnapshot(),
    candidate: bug,
    executor: createNodeTestExecutor(),
    limits: sampleLimits,
    random: () => 0.5,
  };
  const result = await validateCandidate({ ...common, baselineRuns: 2, goldRuns: 0, ...options });
  const gates = result.status === 'valid' ? result.draft.gates : result.gates;
  return {
    result,
    gates: gates.map(({ name, passed }) => `${passed ? '' : 'not '}${name}`),
    gate: (name: string) => gates.find((item) => item.name === name),
  };
}

/** The sample with another range.js, and its one test in a file of its own. */
function withRange(options: { source: string; test: string; setup?: string; imported?: string }): Snapshot {
  const { source, setup = '', imported = 'range' } = options;
  const files = {
    'lib/range.js': source,
    'lib/list.js': sampleFiles['lib/list.js'] ?? '',
    'test/range.test.js': `${framework}const { ${imported} } = require('../lib/range.js');\n${setup}test('counts', () => { ${options.test} });\n`,
    'test/list.test.js': sampleFiles['test/list.test.js'] ?? '',
  };
  const names = ['sums', 'sums nothing to zero', 'averages', 'averages nothing to zero'];
  const baseline = [
    ...names.map((name) => ({ id: `test/list.test.js::${name}`, file: 'test/list.test.js', name, status: 'passed' as const })),
    { id: 'test/range.test.js::counts', file: 'test/range.test.js', name: 'counts', status: 'passed' as const },
  ];
  return sampleSnapshot({ files, baseline });
}

function replaceIn(text: string, before: string, after: string): Candidate {
  const start = text.indexOf(before);
  const line = text.slice(0, start).split('\n').length;
  const edits = [{ file: 'lib/range.js', start, end: start + before.length, text: after }];
  return { edits, lineage: { generator: 'test', operator: 'test-operator', file: 'lib/range.js', line } };
}

describe('an example that reproduces', () => {
  test('is run on both trees, for two executions more, and is what the statement says', async () => {
    const executor = createNodeTestExecutor();
    const { result, gates, gate } = await validate({ rung: 'contract', executor });
    if (result.status !== 'valid') throw new Error(result.detail);
    expect(executor.runs()).toBe(4);
    expect(gates.slice(-4)).toEqual([
      'example-reproduces',
      'statement-determines-behaviour',
      'statement-gives-nothing-away',
      'tests-ask-no-more',
    ]);
    const { data, facts } = result.draft;
    expect(facts.example).toEqual({
      ...{ setup: '', call: 'contains(1, 3, 3)', expected: 'true', observed: 'false', outcome: 'value' },
      ...{ entryPoint: 'contains', module: 'lib/range.js', fence: 'js' },
    });
    expect(gate('example-reproduces')?.evidence).toMatchObject({
      name: 'example 1',
      agentTree: { status: 'failed', observed: 'false' },
      solvedTree: 'passed',
    });
    expect(data.lineage.statementRung).toBe('contract');
    expect(data.instruction).toContain(
      '> Whether a value lies in [low, high].\n\n`contains(1, 3, 3)` gives `false`. It should give `true`.',
    );
    expect(data.instruction).not.toMatch(/holds its ends|range\.test|lib\//);
  });

  test('lets a draft move along the whole ladder, if it was asked for', async () => {
    const { result } = await validate({ rung: 'line', examples: 'always' });
    if (result.status !== 'valid') throw new Error(result.detail);
    const { draft } = result;
    const rungs = availableRungs(draft.facts);
    expect(rungs).toEqual(['symptom', 'contract', 'file', 'function', 'example', 'region', 'line', 'quoted-line']);
    const drafts = rungs.map((rung) => rewriteStatement({ draft, rung }));
    expect(new Set(drafts.map(({ data }) => data.id)).size).toBe(8);
    expect(drafts.map(({ data }) => data.lineage.statementRung)).toEqual(rungs);
    const back = rewriteStatement({ draft: drafts[4] ?? draft, rung: 'line' });
    expect(back.data.instruction).toBe(draft.data.instruction);
    expect(back.gates.map(({ name }) => name)).toEqual(draft.gates.map(({ name }) => name));
  });

  test('is not looked for where no rung shows it, and the draft cannot move there', async () => {
    const executor = createNodeTestExecutor();
    const { result, gates } = await validate({ rung: 'line', executor });
    if (result.status !== 'valid') throw new Error(result.detail);
    expect(executor.runs()).toBe(2);
    expect(gates).not.toContain('example-reproduces');
    expect(availableRungs(result.draft.facts)).not.toContain('example');
    const { draft } = result;
    expect(() => rewriteStatement({ draft, rung: 'example' })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
  });

  test('may fail by an exception, or by none', async () => {
    const source =
      "exports.range = (low, high) => {\n  if (low > high) throw new RangeError('low above high');\n  return [low.valueOf(), high];\n};\n";
    const thrown = withRange({ source, test: 'assert.deepStrictEqual(range(1, 2), [1, 2]);' });
    const error = await validate({ snapshot: thrown, candidate: replaceIn(source, 'low.valueOf', 'low.value'), rung: 'example' });
    expect(error.result.status === 'valid' && error.result.draft.data.instruction).toContain(
      '`range(1, 2)` fails with `TypeError: low.value is not a function`. It should give `[1, 2]`.',
    );
    const refused = withRange({ source, test: 'assert.throws(() => range(2, 1), RangeError);' });
    const accepted = await validate({ snapshot: refused, candidate: replaceIn(source, 'low > high', 'low > high + 5'), rung: 'example' });
    expect(accepted.result.status === 'valid' && accepted.result.draft.data.instruction).toContain(
      '`range(2, 1)` runs without an error. It should fail with an error that fits `RangeError`.',
    );
  });

  test('is found in Python too', async () => {
    const source =
      'def count(start, stop):\n    """Numbers from start to stop, both included."""\n    return list(range(start, stop + 1))\n';
    const files = {
      'pkg/__init__.py': '',
      'pkg/counting.py': source,
      'tests/test_counting.py':
        'from pkg.counting import count\n\n\nclass TestCount:\n    def test_ends(self):\n        stop = 2\n        assert count(1, stop) == [1, 2]\n\n\ndef test_type():\n    assert isinstance(count(1, 1), list)\n\n\ndef test_again():\n    assert type(count(1, 1)) is list\n',
    };
    const file = 'tests/test_counting.py';
    const baseline = ['TestCount::test_ends', 'test_type', 'test_again'].map((name) => ({
      id: `${file}::${name}`,
      file,
      name,
      status: 'passed' as const,
    }));
    const snapshot = sampleSnapshot({
      files,
      runner: 'pytest',
      sourceFiles: ['pkg/__init__.py', 'pkg/counting.py'],
      testFiles: [file],
      hiddenPaths: ['tests'],
      baseline,
    });
    const start = source.indexOf('stop + 1');
    const candidate: Candidate = {
      edits: [{ file: 'pkg/counting.py', start, end: start + 8, text: 'stop' }],
      lineage: { generator: 'test', operator: 'test-operator', file: 'pkg/counting.py', line: 3 },
    };
    const { result } = await validate({ snapshot, candidate, executor: createPytestExecutor(), rung: 'example' });
    if (result.status !== 'valid') throw new Error(`${result.reason}: ${result.detail}`);
    expect(result.draft.data.instruction).toBe(`\`count\` gives a wrong result

\`count\` comes from \`pkg/counting.py\`. The fault is in \`count\` of \`pkg/counting.py\`.

Its signature is \`count(start, stop)\`.

Its contract:

> Numbers from start to stop, both included.

The last expression below gives \`[1]\`. It should give \`[1, 2]\`.

\`\`\`python
stop = 2
count(1, stop)
# observed: [1]
# expected: [1, 2]
\`\`\`

Existing behaviour must not change.`);
  });
});

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
