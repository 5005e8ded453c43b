import { expect, test } from 'vitest';
import { enclosingFunction } from '../src/statement/contract/enclosing-function.js';
import { readContract } from '../src/statement/contract/read-contract.js';

const testText = `const assert = require('node:assert');
const test = require('node:test');
const { range, other } = require('../lib/range.js');
test('counts up', () => {
  assert.equal(range(9), '0,1');
  assert.deepStrictEqual(range(1, 3), [1, 2]);
  assert.deepStrictEqual(range(1, 3), [1, 2]);
  assert.ok(range(1));
  const two = 2;
  assert.deepStrictEqual(range(two), [0, 1]);
  assert.deepStrictEqual([0], range(1));
  assert.strictEqual(other(1), 1);
  assert.deepStrictEqual(range(0), []);
  assert.deepStrictEqual(range(4, 5), [4]);
});
test('counts down', () => { assert.deepStrictEqual(range(3, 1), [3, 2]); assert.deepStrictEqual(range(9, 8), [9]); });
`;
const read = (text: string, options: { file?: string; entryPoint?: string; moduleName?: string } = {}) => {
  const { file = 'lib/range.js', entryPoint = 'range', ...rest } = options;
  return readContract({
    example: { entryPoint, call: 'range(3, 1)', ...rest },
    sources: [{ file, text }],
    snapshot: { source: 'steps@1.0.0', sourceFiles: ['lib/range.js'] },
    testFile: { file: 'test/range.test.js', text: testText },
    passing: new Set(['counts up']),
  });
};
const examples = [
  { input: 'range(1, 3)', value: '[1, 2]' },
  { input: 'Boolean(range(1))', value: 'true' },
  { input: 'range(1)', value: '[0]' },
];

test.each([
  [
    'JSDoc',
    '/**\n * Counts.\n *\n * @param {number} stop left out\n */\nfunction range(start, stop = 3) { return body; }',
    'range(start, stop = 3)',
    'Counts.\n@param {number} stop left out',
  ],
  [
    'line comments',
    'const a = 1; // of a\n// Counts\n// up or down.\nexports.range = (start) => body;',
    'range(start)',
    'Counts\nup or down.',
  ],
  ['an exported arrow function', '/* Counts. */\nexport const range = (start, stop) => body;', 'range(start, stop)', 'Counts.'],
  [
    'directives and references',
    '// eslint-disable-next-line x\n// Counts.\n// See issue #12 and abc1234f.\nfunction range() {}',
    'range()',
    'Counts.',
  ],
])('the contract is the signature and %s', async (_, text, signature, doc) => {
  expect(await read(text)).toEqual({ signature, doc, examples: [] });
});

test('a Python contract is the signature and the docstring, without self', async () => {
  const text =
    'class A:\n    def range(self):\n        """Not this."""\n\n# Not this.\ndef range(start, stop=3) -> list:\n    """Counts.\n\n    Up or down.\n    """\n    return body\n';
  expect(await read(text, { file: 'lib/range.py' })).toEqual({
    signature: 'range(start, stop=3) -> list',
    doc: 'Counts.\nUp or down.',
    examples: [],
  });
});

test('what a module exports is found by the name that it has there', async () => {
  const text = '// Counts.\nfunction count(stop) { return body; }\nmodule.exports = count;\n';
  expect(await read(text, { entryPoint: 'steps', moduleName: 'steps' })).toEqual({
    signature: 'count(stop)',
    doc: 'Counts.',
    examples: [],
  });
  expect(await read(text.replace('count;', '{ range: count };'), { entryPoint: 'steps.count', moduleName: 'steps' })).toMatchObject({
    signature: 'count(stop)',
  });
});

test('without a doc comment it is what passing tests say of the same entry point, at most three and not the failing input', async () => {
  expect(await read('function range(start) { return body; }')).toEqual({ signature: 'range(start)', examples });
  expect(await read('// Far above.\n\nfunction range(start) {}')).toEqual({ signature: 'range(start)', examples });
  expect(await read('function range() {}\nfunction range(a) {}')).toEqual({ examples });
  expect(await read('syntax error (', {})).toEqual({ examples });
});

test('there is none where neither sources nor tests say anything', async () => {
  expect(await read('function sum(values) { return body; }', { entryPoint: 'sum' })).toBeNull();
});

test('a contract is bounded and never holds the body', async () => {
  const doc = Array.from({ length: 50 }, (_, index) => `// Line ${index} of the comment.`).join('\n');
  const contract = await read(
    `${doc}\nfunction range(${Array.from({ length: 90 }, (_, index) => `a${index}`).join(', ')}) { return body; }`,
  );
  expect(contract?.doc?.split('\n')).toHaveLength(12);
  expect(contract?.signature).toHaveLength(200);
  expect(JSON.stringify(contract)).not.toContain('body');
});

test.each([
  ['a.js', 2, 'outer'],
  ['a.js', 3, 'inner'],
  ['a.js', 6, 'Steps.next'],
  ['a.js', 8, 'made'],
  ['a.js', 9, 'key'],
  ['a.js', 10, null],
  ['a.txt', 2, null],
])('the function around %s:%i is %s', async (file, line, name) => {
  const text = `function outer() {
  first();
  const inner = () => { second(); };
}
class Steps {
  next() { return 1; }
}
exports.made = function () { return 1; };
const all = { 'key': () => 1 };
const none = [1, 2];
`;
  expect(await enclosingFunction({ file, text, line })).toBe(name);
});
