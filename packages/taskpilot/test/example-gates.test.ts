import type { Candidate } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { availableRungs } from '../src/statement/write-statement.js';
import { rewriteStatement } from '../src/validate/task-draft.js';
import { createPytestExecutor } from './support/pytest-executor.js';
import { sampleSnapshot } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';
import { replaceIn, validate, withRange } from './support/validate-range.js';

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
    const thrown = withRange({ source, test: 'const want = [1, 2]; assert.deepStrictEqual(range(1, 2), want);' });
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
