import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lintStatement } from '../src/statement/lint-statement.js';
import { referencesIn, withoutCode } from '../src/statement/references.js';
import { regionAround } from '../src/statement/region-around.js';
import { tokenOverlap } from '../src/statement/token-overlap.js';
import { type StatementFacts, writeStatement } from '../src/statement/write-statement.js';

const facts: StatementFacts = {
  file: 'lib/utils.js',
  line: 42,
  lineText: '  return a < b;',
  region: { start: 39, end: 46 },
  testName: 'adds two numbers',
  expected: '3',
  observed: '4',
};

test.each([
  ['quoted-line', 'Fix lib/utils.js lines 39-46. Line 42 is wrong: expected 3, got 4.\n42.   return a < b;'],
  ['line', 'Fix lib/utils.js lines 39-46. Line 42 is wrong: expected 3, got 4.'],
  ['region', 'Fix lib/utils.js lines 39-46: expected 3, got 4.'],
  ['file', 'Fix lib/utils.js: expected 3, got 4.'],
  ['symptom', 'Fix the failure of "adds two numbers": expected 3, got 4.'],
] as const)('the %s rung has these bytes', (rung, statement) => {
  expect(writeStatement({ ...facts, rung })).toBe(statement);
});

test('an error stands in the place of the values', () => {
  const { expected: _e, observed: _o, ...rest } = facts;
  expect(writeStatement({ ...rest, error: 'TypeError: foo is not a function', rung: 'line' })).toBe(
    'Fix lib/utils.js lines 39-46. Line 42 is wrong: TypeError: foo is not a function.',
  );
  expect(() => writeStatement({ ...rest, rung: 'line' })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});

test('collapses white space, cuts values to 24 and messages to 48 characters and splits no character', () => {
  const statement = writeStatement({ ...facts, expected: `[\n  1,\n  2\n]`, observed: '😀'.repeat(30), rung: 'file' });
  expect(statement).toBe(`Fix lib/utils.js: expected [ 1, 2 ], got ${'😀'.repeat(23)}….`);
  const { expected: _e, observed: _o, ...rest } = facts;
  expect(writeStatement({ ...rest, error: 'x'.repeat(49), rung: 'file' })).toBe(`Fix lib/utils.js: ${'x'.repeat(47)}….`);
  expect(writeStatement({ ...facts, expected: '', rung: 'file' })).toBe("Fix lib/utils.js: expected '', got 4.");
});

test('a region holds the line, lies in the file and has eight lines where the file has', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.nat(),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (lineCount, at, draw) => {
        const line = 1 + (at % lineCount);
        const { start, end } = regionAround({ line, lineCount, random: () => draw });
        expect(start).toBeGreaterThanOrEqual(1);
        expect(end).toBeLessThanOrEqual(lineCount);
        expect(line >= start && line <= end).toBe(true);
        expect(end - start + 1).toBe(Math.min(8, lineCount));
      },
    ),
  );
});

test('the line takes every place of its region', () => {
  const places = Array.from({ length: 8 }, (_, index) => 50 - regionAround({ line: 50, lineCount: 100, random: () => index / 8 }).start);
  expect(places).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test.each([
  ['a gold line, however spaced', 'Fix it: use  return sum+b ;', ['return sum + b;'], 'gold line: returnsum+b;'],
  ['the operator', 'This is a flip-equality bug', [], 'operator: flip-equality'],
  ['a hidden file', 'Fix the failure of "test/add.js"', [], 'hidden path: test/add.js'],
  ['a file in a hidden folder', 'see spec/add.js', [], 'hidden path: spec'],
])('a statement that gives away %s is refused', (_, statement, goldLines, leak) => {
  const result = lintStatement({ statement, goldLines, operator: 'flip-equality', hiddenPaths: ['test/add.js', 'spec'] });
  expect(result).toEqual({ ok: false, leaks: [leak] });
});

test('short gold lines and ordinary words are no leak', () => {
  const statement = writeStatement({ ...facts, testName: 'a test of the spec', rung: 'symptom' });
  expect(lintStatement({ statement, goldLines: ['x = 3'], operator: 'flip-equality', hiddenPaths: ['spec', 'test/a.js'] })).toEqual({
    ok: true,
  });
});

const prose = {
  testNames: ['holds its very ends', 'range > test_holds_its_ends', 'averages'],
  publicNames: ['contains(low, high, value)'],
};

test.each([
  ['the line in words', 'see line 42', 'line: 42'],
  ['the line behind a path', 'lib/utils.js:42 is wrong', 'line: 42'],
  ['the operator in words', 'somebody may flip equality here', 'operator: flip-equality'],
  ['a test by its name', 'It holds its very ends', 'hidden test: holds its very ends'],
  ['a test by the last part of its name', 'see test_holds_its_ends', 'hidden test: test_holds_its_ends'],
  ['an issue', 'as reported in #123', 'reference: #123'],
  ['a pull request', 'since pull request 12', 'reference: pull request 12'],
  ['a commit', 'broken by 1f3a9bc', 'reference: 1f3a9bc'],
  [
    'the words of the fix',
    'take the accumulator, the remainder and the divisor',
    'words of the gold patch (0.60): accumulator remainder divisor',
  ],
])('prose that gives away %s is refused', (_, statement, leak) => {
  const goldLines = ['accumulator = remainder % divisor + offset - carry;'];
  const common = { goldLines, operator: 'flip-equality', hiddenPaths: [] };
  expect(lintStatement({ ...common, statement, line: 42, prose })).toEqual({ ok: false, leaks: [leak] });
  if (!leak.startsWith('line')) expect(lintStatement({ ...common, statement, line: 42 })).toEqual({ ok: true });
});

test.each([
  ['another line, or the number as a value', 'Line 43 holds 42, and so do line420 and lib/a.js:421.'],
  ['code that looks like a reference or a line', 'It gives `#123`.\n\n```js\nparse("1f3a9bc line 42") // #12\n```\n\nDone.'],
  ['words of the public signature', 'contains takes low, high and value'],
  ['a short name of a test', 'It averages.'],
])('prose may hold %s', (_, statement) => {
  const goldLines = ['contains low high value total offset'];
  expect(lintStatement({ statement, goldLines, operator: 'flip-equality', hiddenPaths: [], line: 42, prose })).toEqual({ ok: true });
});

test('the overlap is the share of the distinct telling words of the gold lines that the statement holds', () => {
  const goldLines = ['const total = first + second;', 'return total * third - 17 + x;'];
  const overlap = (statement: string, publicNames: string[] = []) => tokenOverlap({ statement, goldLines, publicNames });
  expect(overlap('const return x: the total of first')).toEqual({ share: 2 / 5, shared: ['total', 'first'] });
  expect(overlap('gives 17')).toEqual({ share: 1 / 5, shared: ['17'] });
  expect(overlap('total first', ['sum(first)'])).toEqual({ share: 0, shared: ['total'] });
  expect(overlap('')).toEqual({ share: 0, shared: [] });
});

test('references are numbers of issues and hashes of commits, and code is taken out of prose', () => {
  expect(referencesIn('GH-7, PR #8, see /issues/9 and deadbeef1')).toEqual(['#8', 'GH-7', 'PR #8', '/issues/9', 'deadbeef1']);
  expect(referencesIn('&#39; 1234567 deadbeef a#b issue x PRs')).toEqual([]);
  expect(withoutCode('a `b` ``c ` d`` e\n````js\n```\nf\n````\ng')).not.toMatch(/[bcdf]/);
  expect(withoutCode('a `b` e\n```\nf\n```\ng')).toMatch(/a\s+e\s+g/);
});
