import { expect, test } from 'vitest';
import { lintTests } from '../src/statement/lint-tests.js';

const lint = (
  body: string,
  visible = '',
  file = 'test/a.test.js',
  text = `const assert = require('node:assert');\nconst { range } = require('../lib/range.js');\ntest('one', () => {\n${body}\n});\n`,
) =>
  lintTests({
    file,
    text,
    tests: [{ id: `${file}::one`, name: file.endsWith('.py') ? 'test_one' : 'one' }],
    resolve: (specifier) => (/range/.test(specifier) ? 'lib/range.js' : null),
    isVisible: (part) => `range ${visible}`.includes(part),
  });

test.each([
  ['a message', "assert.throws(() => range(0), { message: 'must be positive' });", 'message', 'must be positive'],
  ['a pattern', 'assert.throws(() => range(0), /^must be (very )?positive$/);', 'message', 'must be'],
  ['a message of jest', "expect(() => range(0)).toThrow('must be positive');", 'message', 'must be positive'],
  ['the message of a caught error', "assert.equal(error.message, 'must be positive');", 'message', 'must be positive'],
  ['an expected message', "expect(error.message).toBe('must be positive');", 'message', 'must be positive'],
  ['a private member', 'assert.equal(range(1)._steps, 1);', 'private-name', '_steps'],
])('%s that is seen nowhere is found with its place', async (_, body, kind, text) => {
  expect((await lint(body))[0]).toEqual({ test: 'test/a.test.js::one', line: 4, kind, text });
  expect(await lint(body, `${text} very positive`)).toEqual([]);
});

test('an imported name that the package does not show is found', async () => {
  const text = "import { hiddenName } from '../lib/range.js';\ntest('one', () => { hiddenName(1); });\n";
  expect(await lint('', '', 'test/a.test.js', text)).toEqual([
    { test: 'test/a.test.js::one', line: 1, kind: 'private-name', text: 'hiddenName' },
  ]);
  expect(await lint('', 'hiddenName', 'test/a.test.js', text)).toEqual([]);
});

test('pytest: a match, the text of an error and a private member are found', async () => {
  const found = await lint(
    '',
    '',
    'tests/test_a.py',
    "import pytest\nfrom pkg.range import range\ndef test_one():\n    with pytest.raises(ValueError, match=r'must be \\d+'):\n        range(0)\n    assert str(error.value) == 'too low'\n    assert range(1)._steps == 1\n",
  );
  expect(found.map(({ line, text }) => [line, text])).toEqual([
    [7, '_steps'],
    [4, 'must be'],
    [6, 'too low'],
  ]);
});

test.each([
  ['values that follow from the input', "assert.equal(range('a-b'), 'a - b long');"],
  ["the test's own remarks", "assert.throws(() => range(0), RangeError, 'a remark of the test');"],
  ['classes of errors', 'assert.throws(() => range(0), RangeError);'],
  ['names of its own', 'const _steps = 1; assert.equal(range(_steps), 1);'],
])('a test may hold %s', async (_, body) => {
  expect(await lint(body)).toEqual([]);
});

test('tests that cannot be read are passed over', async () => {
  expect(await lint('}}}')).toEqual([]);
  expect(await lint('assert.throws(() => range(0), /must be positive/);', '', 'test/a.test.rb')).toEqual([]);
});
