import { parseSource } from '../parse/load-parsers.js';
import { namedChildren } from '../parse/syntax-node.js';
import type { TaskRunner } from './task-runner.js';

const python = `
def test_canary_equal():
    assert 2 + 2 == 5


def test_canary_list():
    assert [1, 2] == [2, 1]


def test_canary_decimal():
    from decimal import Decimal
    assert Decimal("1.5") == Decimal("1.6")


def test_canary_raises():
    import pytest
    with pytest.raises(KeyError):
        pass


def test_canary_approx():
    import pytest
    assert 1.0 == pytest.approx(1.2)


def test_canary_error():
    raise RuntimeError("canary")


class TestCanary(__import__("unittest").TestCase):
    def test_canary_unittest(self):
        self.assertEqual([1], [2])
`;

const nodeAsserts: readonly (readonly [string, string])[] = [
  ['equal', 'canaryAssert.equal(1, 2)'],
  ['strict equal', 'canaryAssert.strictEqual("a", "b")'],
  ['deep equal', 'canaryAssert.deepEqual({ a: [1] }, { a: [2] })'],
  ['ok', 'canaryAssert.ok(0)'],
  ['throws', 'canaryAssert.throws(() => 1)'],
  ['match', 'canaryAssert.match("a", /b/)'],
  ['error', '(() => { throw new Error("canary"); })()'],
];
const expects: readonly (readonly [string, string])[] = [
  ['toBe', 'expect(1).toBe(2)'],
  ['toEqual', 'expect({ a: [1] }).toEqual({ a: [2] })'],
  ['toThrow', 'expect(() => 1).toThrow()'],
  ['toContain', 'expect([1]).toContain(2)'],
  ['toMatch', 'expect("a").toMatch(/b/)'],
  ['toBeTruthy', 'expect(0).toBeTruthy()'],
  ['error', '(() => { throw new Error("canary"); })()'],
];

/** A file of tests that must fail, for a runner; it begins with the imports of a hidden test, so that the product is loaded as there. */
export function canaryTests(options: { runner: TaskRunner; path: string; text: string }): { readonly name: string; readonly text: string } {
  const { runner, path, text } = options;
  const isPython = runner === 'pytest';
  const tree = parseSource({ language: isPython ? 'python' : /x$/.test(path) ? 'tsx' : 'typescript', text });
  const imports = namedChildren(tree)
    .filter(({ type, text: source }) => /^(import|future_import)/.test(type) || /^(const|let|var)\b[^\n]*\brequire\(/.test(source))
    .map((node) => node.text)
    .join('\n');
  if (isPython) return { name: 'test_canary_9f3e.py', text: `${imports}\n${python}` };
  const extension = /\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? '.js';
  const usesExpect = runner === 'vitest' || runner === 'jest';
  const body = (usesExpect ? expects : nodeAsserts)
    .map(([name, code]) => `${testFunction(imports, runner)}("canary ${name}", () => { ${code}; });`)
    .join('\n');
  const isScript = /\brequire\(/.test(imports) && !/^import\b/m.test(imports);
  const asserting = usesExpect
    ? ''
    : isScript
      ? 'const canaryAssert = require("node:assert");\n'
      : 'import canaryAssert from "node:assert";\n';
  return { name: `canary-9f3e.test${extension}`, text: `${imports}\n${asserting}${body}\n` };
}

/** Under which name the imports know the runner's function for a test. */
function testFunction(imports: string, runner: TaskRunner): string {
  if (/\btest\b(?!['":])/.test(imports.replace(/['"][^'"]*['"]/g, ''))) return 'test';
  return /\bit\b/.test(imports) || runner === 'mocha' ? 'it' : 'test';
}
