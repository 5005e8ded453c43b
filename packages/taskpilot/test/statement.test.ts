import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lintStatement } from '../src/statement/lint-statement.js';
import { regionAround } from '../src/statement/region-around.js';
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
