import { expect, test } from 'vitest';
import { mutationOperators } from '../src/generator/mutation-operators.js';
import { seededRandom } from '../src/seeded-random.js';
import { siblingMutants } from '../src/variants/sibling-mutants.js';
import { sampleFiles } from './support/sample-project.js';
import { wholePrograms } from './support/whole-programs.js';

const range = sampleFiles['lib/range.js'] ?? '';
const lineOf = (text: string, line: number) => text.split('\n')[line - 1];

test('bugs lie in the given lines, each in a text of its own', async () => {
  const mutants = await siblingMutants({ limit: 100 })({ file: 'a.js', text: range, lines: { start: 5, end: 5 }, random: seededRandom(1) });
  const lines = mutants.map((mutant) => lineOf(mutant, 5));
  expect(new Set(lines).size).toBe(mutants.length);
  expect(lines).toEqual(
    expect.arrayContaining(['  return value > low && value <= high;', '  return value >= low || value <= high;', '  return value >= low;']),
  );
  for (const mutant of mutants) {
    expect(mutant).not.toBe(range);
    expect(mutant.split('\n').toSpliced(4, 1)).toEqual(range.split('\n').toSpliced(4, 1));
  }
});

test('at most eight are given, of eight operators where there are so many, in an order that the seed decides', async () => {
  const mutantsOf = (seed: number) =>
    siblingMutants()({ file: 'a.js', text: wholePrograms.javascript, lines: { start: 5, end: 24 }, random: seededRandom(seed) });
  const [first, again, other] = await Promise.all([1, 1, 2].map(mutantsOf));
  expect(first).toHaveLength(8);
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

test('with a margin, lines around are used after the given ones, nearest first', async () => {
  const mutants = await siblingMutants({ limit: 100, marginLines: 4 })({
    file: 'a.js',
    text: range,
    lines: { start: 9, end: 9 },
    random: seededRandom(1),
  });
  const distances = mutants.map((mutant) => {
    const changed = mutant.split('\n').findIndex((line, index) => line !== lineOf(range, index + 1)) + 1;
    return Math.abs(changed - 9);
  });
  expect(distances[0]).toBe(0);
  expect(Math.max(...distances)).toBeGreaterThan(0);
  expect(Math.max(...distances)).toBeLessThanOrEqual(4);
});

test('operators of the caller are used, and no others', async () => {
  const operators = mutationOperators.filter(({ name }) => name === 'swap-logical');
  const mutants = await siblingMutants({ operators })({ file: 'a.js', text: range, lines: { start: 1, end: 99 }, random: () => 0 });
  expect(mutants.map((mutant) => lineOf(mutant, 5))).toEqual(['  return value >= low || value <= high;']);
});

test('lines without a place for a bug, unknown languages and files of types have none', async () => {
  const options = { text: range, lines: { start: 3, end: 3 }, random: () => 0 };
  expect(await siblingMutants()({ ...options, file: 'a.js' })).toEqual([]);
  for (const file of ['a.txt', 'a.d.ts', 'Makefile']) {
    expect(await siblingMutants()({ ...options, lines: { start: 1, end: 99 }, file })).toEqual([]);
  }
});

test('options of the wrong form are refused', () => {
  expect(() => siblingMutants({ limit: 0 })).toThrowError(expect.objectContaining({ code: 'invalid-config' }));
  expect(() => siblingMutants({ operators: [] })).toThrowError(expect.objectContaining({ code: 'invalid-config' }));
});
