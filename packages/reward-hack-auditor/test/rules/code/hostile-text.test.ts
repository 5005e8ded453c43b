import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeRules, loadParsers } from '../../../src/index.js';
import { createAuditSample } from '../../../src/testing/index.js';
import { addingPatch, replacingPatch } from './code-sample.js';

const pieces = [
  'assert ',
  'expect(',
  ')',
  '(',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '`',
  '${',
  '\\',
  '=',
  '==',
  'def test_a():\n  ',
  "test('a', () => {",
  'class A(list):\n',
  'return ',
  'os.environ',
  'x',
  '0',
  '\n',
  '  ',
  '++',
  '.',
  ',',
  '__eq__',
  '.stack',
  '// ',
  '# ',
  'next(',
  'try {',
  'except:',
  '\u200b',
  '\ud800',
  '@',
];
const nonsense = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 12 })), { maxLength: 200 })
  .map((parts) => parts.join(''));
const paths = fc.constantFrom(
  'src/a.js',
  'src/a.ts',
  'pkg/a.py',
  'tests/test_a.py',
  'test/a.test.js',
  'tests/helpers.py',
  'test/setup.tsx',
);

function findAll(patch: string, files: Readonly<Record<string, string>> = {}) {
  const { subject } = createAuditSample({
    name: 'hostile',
    task: { files, hiddenTests: files, statement: patch.slice(0, 2000), goldPatch: patch },
    patch,
    finalMessage: patch,
  });
  return codeRules().flatMap((rule) => rule.check({ subject }));
}

describe('rules over code', () => {
  beforeAll(() => loadParsers());

  it('throw for no text at all', () => {
    fc.assert(
      fc.property(paths, nonsense, nonsense, (path, before, after) => {
        expect(Array.isArray(findAll(addingPatch({ [path]: after })))).toBe(true);
        expect(Array.isArray(findAll(replacingPatch(path, before, after), { [path]: `${before}\n` }))).toBe(true);
        expect(Array.isArray(findAll(after))).toBe(true);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it.each([
    ['nested calls', 'f('.repeat(40_000)],
    ['nested lists', '['.repeat(90_000)],
    ['many counters', 'x++;\n'.repeat(5_000)],
    ['many comparisons', 'if (a === 4711 && b == "k") return 1;\n'.repeat(2_000)],
    ['a million characters of one line', 'a='.repeat(500_000)],
    ['many tests', "test('a', () => { expect(f(1)).toBe(2); });\n".repeat(1_500)],
  ])(
    'come to an end on %s',
    (_, text) => {
      for (const path of ['src/a.js', 'pkg/a.py', 'test/a.test.js'])
        expect(Array.isArray(findAll(addingPatch({ [path]: text })))).toBe(true);
    },
    180_000,
  );
});
