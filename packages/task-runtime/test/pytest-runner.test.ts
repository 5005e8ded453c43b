import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Snapshot, SpanEdit } from '@tadpole/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import { createRuntime, fixture } from './runtime-fixture.js';

const runtime = createRuntime();
afterAll(() => runtime.close());

const snapshot: Snapshot = {
  ...{ source: 'tadpole-fixture-pytest@1.0.0', licence: 'MIT', directory: fixture('pytest'), hash: 'h', runner: 'pytest' },
  ...{ sourceFiles: [], testFiles: ['tests/test_clamp.py', 'tests/test_words.py'], hiddenPaths: ['tests'], dependencies: [], baseline: [] },
};

/** The run with a piece of a file replaced. */
async function run(file: string, from: string, to: string) {
  const start = readFileSync(join(snapshot.directory, file), 'utf8').indexOf(from);
  const edits: SpanEdit[] = [{ file, start, end: start + from.length, text: to }];
  const result = await runtime.executor.execute({ snapshot, edits, timeoutMs: 20_000 });
  const tests = result.status === 'completed' ? result.tests : [];
  return { ...result, tests, statuses: Object.fromEntries(tests.map(({ id, status }) => [id, status])) };
}

const clamp = 'tests/test_clamp.py::';

describe('pytest in a sandbox', () => {
  it('gives the node ids of pytest with brackets, escaped letters and trailing blanks as they are, and reads no configuration', async () => {
    const { statuses } = await run('lib/words.py', 'def', 'def');
    expect(statuses).toEqual({
      [`${clamp}test_keeps_a_value_inside_the_range`]: 'passed',
      [`${clamp}TestBounds::test_raises_a_low_value`]: 'passed',
      [`${clamp}TestBounds::test_lowers_a_high_value[just above [10]]`]: 'passed',
      [`${clamp}TestBounds::test_lowers_a_high_value[\\xfcn\\xefcode ]`]: 'passed',
      [`${clamp}test_is_not_written_yet`]: 'skipped',
      [`${clamp}test_swaps_bounds`]: 'passed',
      'tests/test_words.py::test_splits_at_blanks': 'passed',
    });
  });

  it('gives ids of any length back as they are', async () => {
    const long = 'x'.repeat(5000);
    const source = `import pytest\n@pytest.mark.parametrize("a", [1], ids=["${long}"])\ndef test_long(a): pass\n`;
    const { statuses } = await run('tests/test_words.py', 'from lib.words import words', `${source}from lib.words import words`);
    expect(statuses[`tests/test_words.py::test_long[${long}]`]).toBe('passed');
  });

  it('tells what a failing comparison expected and saw, and of which kind a failure is', async () => {
    const wrong = await run('lib/clamp.py', 'return low', 'return high');
    expect(wrong.tests.find(({ status }) => status === 'failed')).toMatchObject({
      ...{ id: `${clamp}TestBounds::test_raises_a_low_value`, kind: 'assertion', expected: '0', observed: '10' },
    });
    const broken = await run('lib/clamp.py', 'if value < low', 'None.field\n    if value < low');
    expect(broken.tests[0]).toMatchObject({ status: 'failed', kind: 'error', message: expect.stringContaining('AttributeError') });
    expect(broken.statuses['tests/test_words.py::test_splits_at_blanks']).toBe('passed');
  });

  it('reports a file that cannot be collected and runs the others', async () => {
    const { statuses } = await run('lib/words.py', 'def words', 'def ((');
    expect(statuses).toMatchObject({ 'tests/test_words.py::(load)': 'failed', [`${clamp}TestBounds::test_raises_a_low_value`]: 'passed' });
  });

  it.each([
    ['os._exit', 'import os; os._exit(0)'],
    ['sys.exit', 'import sys; sys.exit(0)'],
    ['pytest.exit', 'import pytest; pytest.exit("all passed", 0)'],
    ['a skip', 'import pytest; pytest.skip("not needed")'],
    ['a declared failure', 'import pytest; pytest.xfail("known")'],
    ['a line that looks like a result', 'print("PASSED tests/test_words.py::test_splits_at_blanks"); raise ValueError'],
  ])('takes no pass from code under test that ends in %s', async (_, code) => {
    const { statuses } = await run('lib/words.py', 'return [', `${code}; return [`);
    expect(statuses['tests/test_words.py::test_splits_at_blanks']).not.toBe('passed');
  });

  it('gives the code under test the same time zone, language, hashes and random numbers in every run', async () => {
    const drawn = 'import locale, random, time; raise ValueError(time.tzname[0], locale.getlocale()[1], hash("a"), random.random())';
    const runs = [await run('lib/words.py', 'return [', `${drawn}; return [`), await run('lib/words.py', 'return [', `${drawn}; return [`)];
    const messages = runs.map(({ tests }) => tests.find(({ id }) => id === 'tests/test_words.py::test_splits_at_blanks')?.message);
    expect(messages[0]).toMatch(/ValueError: \('UTC', 'UTF-8', /i);
    expect(messages[1]).toBe(messages[0]);
  });

  it('ends a run at its time', async () => {
    const start = readFileSync(join(snapshot.directory, 'lib/words.py'), 'utf8').indexOf('return');
    const edits = [{ file: 'lib/words.py', start, end: start, text: 'while True: pass\n    ' }];
    expect((await runtime.executor.execute({ snapshot, edits, timeoutMs: 1500 })).status).toBe('timed-out');
  });
});
