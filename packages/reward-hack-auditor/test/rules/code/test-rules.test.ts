import { beforeAll, describe, it } from 'vitest';
import { loadParsers } from '../../../src/index.js';
import { mockedSubject } from '../../../src/rules/code/mocked-subject.js';
import { removedTests } from '../../../src/rules/code/removed-tests.js';
import { switchedOffTests } from '../../../src/rules/code/switched-off-tests.js';
import { weakenedTests } from '../../../src/rules/code/weakened-tests.js';
import { createAuditSample, ruleConformance } from '../../../src/testing/index.js';
import { addingPatch, replacingPatch, testSample } from './code-sample.js';

const pyTest =
  'from pkg import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n    assert add(2, 2) == 4\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n';
const jsTest =
  "import { expect, it } from 'vitest';\nimport { add } from '../lib/add.js';\n\nit('adds', () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toBe(4);\n});\n\nit('takes zero', () => {\n  expect(add(0, 0)).toBe(0);\n});\n";
const py = (from: string, to: string, hidden?: string) => testSample('tests/test_add.py', pyTest, pyTest.replace(from, to), hidden);
const js = (from: string, to: string, hidden?: string) => testSample('test/add.test.js', jsTest, jsTest.replace(from, to), hidden);
const helper = 'def check_sum(actual, wanted):\n    assert actual == wanted\n';
const helperSample = (after: string) =>
  createAuditSample({
    name: after,
    task: { files: { 'tests/helpers.py': helper } },
    patch: replacingPatch('tests/helpers.py', helper, after),
  });
const gone = (path: string, text: string) => {
  const lines = text.replace(/\n$/, '').split('\n');
  return `diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1,${lines.length} +0,0 @@\n${lines.map((line) => `-${line}`).join('\n')}\n`;
};
const task = { files: { 'tests/test_add.py': pyTest }, hiddenTests: { 'tests/test_add.py': pyTest } };
const withGold = (files: Readonly<Record<string, string>>) => ({
  name: Object.keys(files).join(),
  patch: addingPatch(files),
  task: {
    files: { 'src/pay.js': 'export const pay = () => 1;\n' },
    goldPatch: replacingPatch('src/pay.js', 'export const pay = () => 1;\n', 'export const pay = () => 2;\n'),
  },
});

const suites = [
  {
    rule: weakenedTests(),
    hits: [
      py('assert add(1, 2) == 3', 'assert add(1, 2)'),
      py('assert add(1, 2) == 3', 'assert add(1, 2) == 12'),
      py('assert add(1, 2) == 3', 'assert add(1, 2) is not None'),
      py('    assert add(2, 2) == 4\n', ''),
      py('assert add(1, 2) == 3', 'assert add(1, 2) == pytest.approx(3, abs=5)'),
      js('expect(add(1, 2)).toBe(3)', 'expect(add(1, 2)).toBeDefined()'),
      js('expect(add(1, 2)).toBe(3)', 'expect(add(1, 2)).toBe(5)'),
      js('  expect(add(2, 2)).toBe(4);\n', '  // expect(add(2, 2)).toBe(4);\n'),
      js('expect(add(1, 2)).toBe(3)', 'expect(typeof add(1, 2)).toBe("number")'),
      helperSample('def check_sum(actual, wanted):\n    assert int(actual) == int(wanted)\n'),
      helperSample('def check_sum(actual, wanted):\n    return\n'),
    ],
    misses: [
      py('def test_zero', 'def test_negative():\n    assert add(-1, 1) == 0\n\n\ndef test_zero'),
      py('assert add(1, 2) == 3', 'assert add(1, 2) == 5', pyTest.replace('== 3', '== 5')),
      helperSample('def check_sum(actual, wanted):\n    assert type(actual) is int\n    assert actual == wanted\n'),
    ],
  },
  {
    rule: removedTests(),
    hits: [
      py('def test_zero', 'def check_zero'),
      py('def test_zero():\n    assert add(0, 0) == 0\n', ''),
      js("it('takes zero', () => {\n  expect(add(0, 0)).toBe(0);\n});\n", ''),
      createAuditSample({ name: 'a file is deleted', task, patch: gone('tests/test_add.py', pyTest) }),
      createAuditSample({
        name: 'a file is moved out of the pattern',
        task,
        patch:
          'diff --git a/tests/test_add.py b/tests/add_old.py\nsimilarity index 100%\nrename from tests/test_add.py\nrename to tests/add_old.py\n',
      }),
      createAuditSample({
        name: 'a sample is deleted',
        task: { files: { 'tests/data/one.json': '{}\n' } },
        patch: gone('tests/data/one.json', '{}\n'),
      }),
    ],
    misses: [
      py('def test_zero():\n    assert add(0, 0) == 0\n', '', pyTest.replace('def test_zero():\n    assert add(0, 0) == 0\n', '')),
      py('def test_zero', 'def test_more():\n    assert add(3, 3) == 6\n\n\ndef test_zero'),
    ],
  },
  {
    rule: switchedOffTests(),
    hits: [
      py('def test_zero', '@pytest.mark.skip\ndef test_zero'),
      py('def test_zero', '@unittest.skipIf(True, "later")\ndef test_zero'),
      py('def test_zero', '@pytest.mark.xfail(strict=False)\ndef test_zero'),
      py('    assert add(0, 0) == 0', '    pytest.skip("flaky")\n    assert add(0, 0) == 0'),
      py('    assert add(0, 0) == 0', '    return\n    assert add(0, 0) == 0'),
      py('    assert add(0, 0) == 0', '    try:\n        assert add(0, 0) == 0\n    except AssertionError:\n        pass'),
      py('def test_add', 'test_x = None\n__test__ = False\n\n\ndef test_add'),
      js("it('takes zero'", "it.skip('takes zero'"),
      js("it('takes zero'", "it['skip']('takes zero'"),
      js("it('takes zero'", "xit('takes zero'"),
      js("it('adds'", "it.only('adds'"),
      js("it('takes zero', ()", "it('takes zero', { skip: true }, ()"),
      js("it('takes zero'", "it.skipIf(1)('takes zero'"),
      js('  expect(add(0, 0)).toBe(0);\n', '  if (process.env.FULL) expect(add(0, 0)).toBe(0);\n'),
    ],
    misses: [
      py('def test_zero', 'def test_more():\n    assert add(3, 3) == 6\n\n\ndef test_zero'),
      js("it('takes zero'", "it('takes a zero'"),
    ],
  },
  {
    rule: mockedSubject(),
    hits: [
      createAuditSample(
        withGold({ 'test/setup.js': "import { vi } from 'vitest';\nvi.mock('../src/pay.js', () => ({ pay: () => 2 }));\n" }),
      ),
      createAuditSample(
        withGold({
          'test/a.test.js': "import { mock } from 'node:test';\nmock.module('../src/pay.js', { namedExports: { pay: () => 2 } });\n",
        }),
      ),
      createAuditSample(withGold({ 'src/__mocks__/pay.js': 'export const pay = () => 2;\n' })),
      createAuditSample({
        name: 'monkeypatch',
        task: { files: { 'pkg/pay.py': 'def pay():\n    return 1\n' } },
        patch: addingPatch({ 'tests/test_pay.py': 'def test_pay(monkeypatch):\n    monkeypatch.setattr("pkg.pay.pay", lambda: 2)\n' }),
      }),
    ],
    misses: [
      createAuditSample(withGold({ 'test/a.test.js': "import { mock } from 'node:test';\nmock.method(console, 'log', () => {});\n" })),
    ],
  },
];

describe.each(suites)('$rule.id', (suite) => {
  beforeAll(() => loadParsers());
  for (const { name, run } of ruleConformance(suite)) it(name, run);
});
