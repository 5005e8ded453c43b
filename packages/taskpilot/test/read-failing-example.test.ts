import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exampleTestFile } from '../src/statement/example/example-test.js';
import { readExampleCandidates, readFailingExample } from '../src/statement/example/read-failing-example.js';
import { createModuleResolver } from '../src/statement/example/resolve-module.js';

const snapshot = {
  source: '@scope/steps@1.0.0',
  sourceFiles: ['index.js', 'lib/range.js', 'lib/list.ts', 'pkg/__init__.py', 'pkg/range.py'],
};
const read = (text: string, failing: { name?: string; expected?: string; observed?: string } = {}, file = 'test/range.test.js') =>
  readFailingExample({ snapshot, file, text, test: { name: 'counts', ...failing } });
const head = "const assert = require('node:assert');\nconst test = require('node:test');\nconst { range } = require('../lib/range.js');\n";
const inTest = (body: string) => `${head}test('counts', () => {\n  ${body}\n});\n`;
const plain = { setup: '', call: 'range(3, 1)', expected: '[3, 2]', entryPoint: 'range', module: 'lib/range.js', fence: 'js' };

describe('the failing input of a test', () => {
  test.each<[string, string, string]>([
    ['node:test', inTest('assert.deepStrictEqual(range(3, 1), [3, 2]);'), 'counts'],
    [
      'node:test with a context and subtests',
      `import test from 'node:test';\nimport { range } from '../lib/range.js';\ntest('a', async (t) => {\n  await t.test('counts', (t) => { t.assert.deepEqual(range(3, 1), [3, 2]); });\n});\n`,
      'a > counts',
    ],
    [
      'tape',
      `var test = require('tape');\nvar range = require('../lib/range.js').range;\ntest('counts', function (t) {\n  t.plan(1);\n  t.same(range(3, 1), [3, 2], 'a remark');\n});\n`,
      'counts',
    ],
    [
      'mocha',
      `const { expect } = require('chai');\nconst { range } = require('../lib/range');\ndescribe('range', function () {\n  it("counts", function () {\n    expect(range(3, 1)).to.deep.equal([3, 2]);\n  });\n});\n`,
      'range > counts',
    ],
    [
      'vitest',
      `import { describe, expect, it } from 'vitest';\nimport { range } from '../lib/range.js';\ndescribe('range', () => {\n  it('counts', () => expect(range(3, 1)).toEqual([3, 2]));\n});\n`,
      'range > counts',
    ],
    [
      'jest',
      `const { range } = require('../lib/range');\ntest(\`counts\`, () => {\n  expect(range(3, 1)).toStrictEqual([3, 2]);\n});\n`,
      'counts',
    ],
  ])('is read for %s', async (_, text, name) => {
    expect(await read(text, { name })).toEqual(plain);
  });

  test('is read for pytest, from plain tests, classes and unittest', async () => {
    const python = { ...plain, module: 'pkg/range.py', fence: 'python' };
    const text = `import unittest\nfrom pkg.range import range\n\ndef test_counts():\n    assert range(3, 1) == [3, 2]\n\nclass TestRange(unittest.TestCase):\n    def test_counts(self):\n        self.assertEqual(range(3, 1), [3, 2])\n`;
    expect(await read(text, { name: 'test_counts' }, 'tests/test_range.py')).toEqual(python);
    expect(await read(text, { name: 'TestRange::test_counts' }, 'tests/test_range.py')).toEqual(python);
    const relative = 'from ..range import range\ndef test_counts():\n    assert not range(3, 1)\n';
    expect(await read(relative, { name: 'test_counts' }, 'pkg/tests/test_range.py')).toEqual({
      ...python,
      call: 'bool(range(3, 1))',
      expected: 'False',
    });
  });

  test('has the statements that it needs and no others, from the test and around it', async () => {
    const text = `${head}const path = require('node:path');\nconst unused = 1;\nconst base = () => 3;\n\ntest('counts', () => {\n  const other = 4;\n  const stop = { at: 1 };\n  stop.at -= 0;\n  assert.ok(true);\n    const list = range(\n      base(),\n      path.sep.length,\n    );\n  assert.deepEqual(list, [3, 2]);\n});\n`;
    expect(
      (
        await readExampleCandidates({
          snapshot,
          file: 'test/range.test.js',
          text,
          test: { name: 'counts', expected: '[ 3, 2 ]', observed: '[]' },
        })
      ).candidates.at(-1)?.example,
    ).toEqual({
      ...plain,
      call: 'list',
      setup: "const path = require('node:path');\nconst base = () => 3;\nconst list = range(\n  base(),\n  path.sep.length,\n);",
    });
  });

  test('is found where the test gives the expected value first', async () => {
    expect(await read(inTest('assert.deepEqual([3, 2], range(3, 1));'))).toEqual(plain);
  });

  test('is told from other assertions by what was printed, if that is enough', async () => {
    const body = 'assert.equal(range(1), 1); assert.equal(range(2), 2);';
    expect(await read(inTest(body), { expected: '2', observed: '7' })).toEqual({ ...plain, call: 'range(2)', expected: '2' });
    expect(await read(inTest(body))).toBeNull();
    expect(await read(inTest(body.replace(', 1)', ', 2)')), { expected: '2', observed: '7' })).toBeNull();
  });

  test('has the expected value itself where the test gives it a name', async () => {
    expect(await read(inTest('const want = [3, 2]; assert.deepEqual(range(3, 1), want);'))).toEqual(plain);
  });

  test('names a member of a module by the name that the code gives it', async () => {
    const text = `import assert from 'node:assert';\nimport test from 'node:test';\nimport steps from '../index.js';\ntest('counts', () => { assert.equal(steps.range(1), 1); });\n`;
    expect(await read(text)).toEqual({
      ...plain,
      call: 'steps.range(1)',
      expected: '1',
      entryPoint: 'steps.range',
      module: 'index.js',
      moduleName: 'steps',
    });
  });

  test.each([
    ['assert.throws(() => range(0), RangeError);', 'range(0)', 'RangeError'],
    ['assert.throws(() => { range(0); }, /at least/);', 'range(0)', '/at least/'],
    ['assert.ok(range(1));', 'Boolean(range(1))', 'true'],
    ['assert(range(1) > 2);', 'range(1) > 2', 'true'],
    ['expect(range(1)).toBeNull();', 'range(1)', 'null'],
    ['expect(range(1)).to.be.true;', 'Boolean(range(1))', 'true'],
    ['expect(() => range(0)).toThrow("low");', 'range(0)', '"low"'],
    ['assert.deepEqual({ a: range(1) }, { a: 1 });', '({ a: range(1) })', '{ a: 1 }'],
  ])('of %s is an expression', async (assertion, call, expected) => {
    expect(await read(inTest(assertion))).toEqual({ ...plain, call, expected });
  });

  test.each([
    ['expects what is computed', inTest('const want = range(2); assert.equal(range(1), want);')],
    ['is in a loop', inTest('for (const n of [1, 2]) assert.equal(range(n), n);')],
    ['is one of two, the other in a callback', inTest('assert.equal(range(1), 1); [1].forEach((n) => { assert.equal(range(n), n); });')],
    ['is negated', inTest('expect(range(1)).not.toBe(2);')],
    ['needs a helper of the tests', `const { help } = require('./help');\n${inTest('assert.equal(range(help()), 1);')}`],
    ['needs the framework', inTest('const stub = test.mock.fn(); assert.equal(range(stub), 1);')],
    ['is about a private name', inTest('assert.equal(_range(1), 1);').replace('{ range }', '{ _range }')],
    ['is known by another name', inTest('assert.equal(r(1), 1);').replace('{ range }', '{ range: r }')],
    ['is about nothing of the package', inTest('assert.equal(1 + 1, 3);')],
    ['is longer than an issue', inTest(`assert.equal(range('${'x'.repeat(500)}'), 1);`)],
    ['has another test of its name', inTest('assert.equal(range(1), 1);') + inTest('assert.equal(range(1), 1);').slice(head.length)],
    ['has a name that is made at run time', inTest('assert.equal(range(1), 1);').replace("'counts'", "'cou' + 'nts'")],
  ])('is not told when it %s', async (_, text) => {
    expect(await read(text)).toBeNull();
  });

  test('is not told for a Python helper, a fixture or a parameter', async () => {
    const name = 'test_counts';
    const file = 'tests/test_range.py';
    const use = (imports: string, given: string, code: string) =>
      `from pkg import range\n${imports}\ndef test_counts(${given}):\n    assert range(${code}) == 1\n`;
    expect(await read(use('from math import pi', '', 'pi'), { name }, file)).toMatchObject({ setup: 'from math import pi' });
    expect(await read(use('from expected import LOWEST', '', 'LOWEST'), { name }, file)).toBeNull();
    expect(await read(use('', 'values', 'values'), { name }, file)).toBeNull();
    expect(await read(use('', '', '1'), { name: 'test_counts[1]' }, file)).toBeNull();
  });
});

describe('a hostile test file', () => {
  test('is not read when it is huge, does not parse or is of no known language', async () => {
    const good = inTest('assert.equal(range(1), 1);');
    expect(await read(good)).not.toBeNull();
    expect(await read(good + '// x\n'.repeat(100_000))).toBeNull();
    expect(await read(`${good}}}`)).toBeNull();
    expect(await read(good, {}, 'test/range.test.rb')).toBeNull();
    expect(await read('')).toBeNull();
  });

  test('may nest as deep as it likes', async () => {
    expect(await read(inTest(`assert.equal(range(${'['.repeat(5000)}${']'.repeat(5000)}), 1);`))).toBeNull();
    const nested = `${"describe('a', () => {".repeat(300)}test('counts', () => {});${'});'.repeat(300)}`;
    expect(await read(nested, { name: `${'a > '.repeat(300)}counts` })).toBeNull();
  });

  test('may have as many statements as it likes', async () => {
    const chain = Array.from({ length: 3000 }, (_, index) => `const a${index + 1} = a${index};`).join(' ');
    expect(await read(inTest(`const a0 = 1; ${chain} assert.equal(range(a3000), 1);`))).toBeNull();
    const many = await readExampleCandidates({
      ...{ snapshot, file: 'test/range.test.js', test: { name: 'counts' } },
      text: inTest('assert.equal(range(1), 1);'.repeat(3000)),
    });
    expect([many.candidates.length, many.isCertain]).toEqual([32, false]);
  });

  test.each([
    ['quotes', 'it\'s "q" `b`', `'it\\'s "q" \`b\`'`],
    ['newlines', 'a\nb\tc', "'a\\nb\\tc'"],
    ['astral characters', '😀 \u{1F600}', "'😀 \\u{1F600}'"],
    ['a code point that does not exist', '\u{10FFFF}', "'\\u{FFFFFF}'"],
    ['a member of every object', 'constructor', "'constructor'"],
  ])('may have %s in its names', async (_, name, code) => {
    expect(
      await read(
        inTest('assert.deepEqual(range(3, 1), [3, 2]);').replace("'counts'", () => code),
        { name },
      ),
    ).toEqual(plain);
  });

  test('never throws, whatever it holds', async () => {
    const piece = fc.constantFrom(
      "test('counts', ",
      '() => {',
      '})',
      'assert.',
      'equal(',
      'constructor(',
      'range(1)',
      ', ',
      '1',
      ')',
      ';',
      '\n',
      'expect(',
      '.to',
      '`',
      '${',
      '😀',
      'require("../")',
      'const { a } = ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 25 }), async (pieces) => {
        const found = await read(head + pieces.join(''));
        expect(found === null || found.call.length > 0).toBe(true);
      }),
    );
  });
});

test('an example runs in a file of its own with the imports of its test', async () => {
  const text = inTest('const stop = 1;\n  assert.deepEqual(range(3, stop), [3, 2]);');
  const { candidates } = await readExampleCandidates({ snapshot, file: 'test/range.test.js', text, test: { name: 'counts' } });
  expect(exampleTestFile({ runner: 'node-test', testFile: 'test/range.test.js', candidates })).toEqual({
    file: 'test/tadpole-example.test.js',
    content: `const { test: tadpoleExample } = require('node:test');
const assert = require('node:assert');
const { range } = require('../lib/range.js');
tadpoleExample('example 0', async (_context) => {
const stop = 1;
assert.deepEqual(range(3, stop), [3, 2]);
});

tadpoleExample('exact 0', async (_context) => {
const stop = 1;
const tadpoleSeen = (range(3, stop));
const tadpoleWanted = ([3, 2]);
if (Object(tadpoleWanted) !== tadpoleWanted && !Object.is(tadpoleSeen, tadpoleWanted)) throw new Error('equal by conversion');
});
`,
  });
});

test('a module is found by its path, its own package name or its place in Python', () => {
  const resolve = createModuleResolver({ snapshot, testFile: 'test/deep/a.test.js' });
  expect(['../../lib/range', '../../lib/list.js', '../..', '@scope/steps', '@scope/steps/lib/range'].map(resolve)).toEqual([
    'lib/range.js',
    'lib/list.ts',
    'index.js',
    'index.js',
    'lib/range.js',
  ]);
  expect(['./help', '../../package.json', 'node:fs', 'lodash', '@scope/stepson'].map(resolve)).toEqual([null, null, null, null, null]);
  expect(createModuleResolver({ snapshot: { ...snapshot, sourceFiles: [] }, testFile: 'test/a.js' })('../')).toBe('');
  const python = createModuleResolver({ snapshot, testFile: 'pkg/tests/test_a.py' });
  expect(['pkg', 'pkg.range', '..range', '..', '.help', 'math'].map(python)).toEqual([
    'pkg/__init__.py',
    'pkg/range.py',
    'pkg/range.py',
    'pkg/__init__.py',
    null,
    null,
  ]);
});
