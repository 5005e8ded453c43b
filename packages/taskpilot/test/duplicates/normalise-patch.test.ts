import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalisePatch, patchKey } from '../../src/duplicates/normalise-patch.js';

const key = (patch: string) => patchKey(normalisePatch(patch));
const diffOf = (before: string[], after: string[], options: { path?: string; context?: number } = {}) => {
  const { path = 'lib/a.js', context = 3 } = options;
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, before.join('\n'), after.join('\n'), undefined, undefined, { context });
};
const before = ['function f(a, b) {', '  if (a < b) return a;', '  return b;', '}'];
const after = ['function f(a, b) {', '  if (a <= b) return a;', '  return b;', '}'];

test('keeps the tokens of the changed lines alone, sides apart', () => {
  const removed = 'if ( a < b ) return a ;'.split(' ');
  const added = 'if ( a < = b ) return a ;'.split(' ');
  expect(normalisePatch(diffOf(before, after))).toEqual([{ path: 'lib/a.js', previousPath: 'lib/a.js', removed, added }]);
});

const languages = [
  { path: 'a.js', comment: '// note', line: (name: string) => ['let', name, '=', name, '+', '1', ';'] },
  { path: 'a.ts', comment: '/* note */', line: (name: string) => ['let', name, ':', 'number', '=', name, ';'] },
  { path: 'a.py', comment: '# note', line: (name: string) => [name, '=', 'f', '(', name, ')'] },
  { path: 'a.go', comment: '// note', line: (name: string) => [name, ':', '=', 'f', '(', name, ')'] },
  { path: 'a.rs', comment: '/* a /* b */ c */', line: (name: string) => ['let', name, '=', '&', "'", 'a', name, ';'] },
  { path: 'a.java', comment: '// it\'s "so', line: (name: string) => ['int', name, '=', name, '*', '2', ';'] },
];
const names = ['alpha', 'beta', 'gamma', 'delta', 'omega', 'kappa'];
/** How one version of a file writes its lines: white space between tokens, a comment behind, lines of comment between. */
const style = fc.record({
  space: fc.constantFrom(' ', '   ', '\t'),
  indent: fc.constantFrom('', '  ', '\t\t'),
  end: fc.constantFrom('', ' ', '\r'),
  comments: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  extraLines: fc.array(fc.constantFrom('none', 'blank', 'comment'), { minLength: 6, maxLength: 6 }),
  offset: fc.integer({ min: 0, max: 5 }),
  context: fc.integer({ min: 0, max: 5 }),
});

test('white space, comments, line numbers and the width of the context leave the key as it is, in six languages', () => {
  fc.assert(
    fc.property(fc.constantFrom(...languages), fc.integer({ min: 0, max: 5 }), style, style, (language, changed, first, second) => {
      const patchIn = ({ space, indent, end, comments, extraLines, offset, context }: typeof first) => {
        const write = (lines: string[]) => [
          ...Array.from({ length: offset }, () => `${language.comment}${end}`),
          ...lines.flatMap((name, index) => [
            ...(extraLines[index] === 'none' ? [] : [extraLines[index] === 'blank' ? '' : language.comment]),
            indent + language.line(name).join(space) + (comments[index] ? ` ${language.comment}` : '') + end,
          ]),
        ];
        const replaced = names.map((name, index) => (index === changed ? 'zeta' : name));
        return diffOf(write(names), write(replaced), { path: language.path, context });
      };
      expect(key(patchIn(first))).not.toBeNull();
      expect(key(patchIn(first))).toBe(key(patchIn(second)));
    }),
  );
});

test('another identifier, another operator, another place and another file give another key', () => {
  const keys = [
    diffOf(before, after),
    diffOf(before, after, { path: 'lib/b.js' }),
    diffOf(before, ['function f(a, b) {', '  if (a > b) return a;', '  return b;', '}']),
    diffOf(
      before.map((line) => line.replaceAll('a', 'c')),
      after.map((line) => line.replaceAll('a', 'c')),
    ),
    diffOf(after, before),
    diffOf(before, [...before.slice(0, 2), '  return a;', '}']),
  ].map(key);
  expect(new Set(keys).size).toBe(6);
});

test('renaming an identifier of the changed lines changes the key', () => {
  const identifier = fc.stringMatching(/^[a-z]{1,6}$/);
  fc.assert(
    fc.property(identifier, identifier, (one, other) => {
      fc.pre(one !== other);
      const patch = (name: string) => diffOf(['x', `f(${name} < 1)`], ['x', `f(${name} > 1)`]);
      expect(key(patch(one))).not.toBe(key(patch(other)));
    }),
  );
});

test('text that a string holds counts, also when it looks like a comment', () => {
  const patch = (text: string) => diffOf(['f("a")'], [`f("${text}")`]);
  expect(key(patch('b // c'))).not.toBe(key(patch('b // d')));
  expect(key(patch('b  c'))).not.toBe(key(patch('b c')));
});

test('lines that only move right are no change', () => {
  const plain = diffOf(['a()', 'b()', 'c()'], ['if x:', 'a()', 'b()', 'c()'], { path: 'a.py' });
  const indented = diffOf(['a()', 'b()', 'c()'], ['if x:', '  a()', '  b()', 'c()'], { path: 'a.py' });
  expect(key(indented)).toBe(key(plain));
});

test('a change of the order of lines is a change', () => {
  expect(key('--- a/x.js\n+++ b/x.js\n@@ -1,2 +1,2 @@\n-a()\n-b()\n+b()\n+a()\n')).not.toBeNull();
});

test('an empty patch and one of comments alone have no key', () => {
  expect(key('')).toBeNull();
  expect(key(diffOf(['a // b', ''], ['a  // c', '// d']))).toBeNull();
});

test('binary files are told apart by their data, renames by their paths', () => {
  const binary = (blob: string) => `diff --git a/x.png b/x.png\nindex 0000001..${blob} 100644\nBinary files a/x.png and b/x.png differ\n`;
  expect(key(binary('abcdef1'))).not.toBe(key(binary('abcdef2')));
  const renamed = (to: string) => `diff --git a/x.js b/${to}\nsimilarity index 100%\nrename from x.js\nrename to ${to}\n`;
  expect(key(renamed('y.js'))).not.toBe(key(renamed('z.js')));
});

test('the order of files in a patch does not count', () => {
  const [one, two] = [diffOf(before, after), diffOf(before, after, { path: 'b.js' })];
  expect(key(one + two)).toBe(key(two + one));
});

test('a patch of a hundred thousand lines gets a key', () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `+value${index} = "${index}";`).join('\n');
  expect(key(`--- /dev/null\n+++ b/x.js\n@@ -0,0 +1,100000 @@\n${lines}\n`)).toMatch(/^[0-9a-f]{64}$/);
  expect(key(`--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-\`${'a '.repeat(400_000)}\n+b\n`)).toMatch(/^[0-9a-f]{64}$/);
});
