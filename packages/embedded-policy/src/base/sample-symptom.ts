import { pick, pickInteger } from './pick.js';
import type { StatementFacts } from './statement.js';

const WORDS = [
  'a',
  'b',
  'foo',
  'bar',
  'key',
  'value',
  'name',
  'x',
  'y',
  'id',
  'data',
  'hello',
  'test',
  'left',
  'right',
  'item',
  'path',
  'http',
  'utf8',
];
const ERRORS = [
  'TypeError: % is not a function',
  'TypeError: Cannot read properties of undefined',
  'TypeError: Cannot set properties of null',
  'RangeError: Invalid array length',
  'RangeError: Maximum call stack size exceeded',
  'ReferenceError: % is not defined',
  'SyntaxError: Unexpected token',
  'Error: invalid %',
  'Error: missing %',
  'Error: timed out',
];

/**
 * A made-up symptom: two different printed values, or an error. It says nothing about the line, so that a
 * base trained with it knows the form of a statement and no more.
 */
export function sampleSymptom(random: () => number): StatementFacts['symptom'] {
  if (random() < 0.2) return { error: pick(ERRORS, random).replace('%', pick(WORDS, random)) };
  const sampleValue = pick([sampleNumber, sampleText, sampleBoolean, sampleList, sampleObject, sampleEmpty], random);
  const expected = sampleValue(random);
  let observed = random() < 0.8 ? sampleValue(random) : sampleEmpty(random);
  if (observed === expected)
    observed = pick(
      ['undefined', 'null', 'NaN', '-1', '[]'].filter((text) => text !== expected),
      random,
    );
  return { expected, observed };
}

function sampleNumber(random: () => number): string {
  const value = pickInteger({ low: 0, high: pick([3, 12, 100, 999, 100_000], random), random });
  const sign = random() < 0.15 ? '-' : '';
  return random() < 0.15 ? `${sign}${value}.${pickInteger({ low: 1, high: 99, random })}` : `${sign}${value}`;
}

function sampleText(random: () => number): string {
  const words = Array.from({ length: pickInteger({ low: 1, high: 3, random }) }, () => pick(WORDS, random));
  const quote = pick(["'", "'", '"', ''], random);
  return quote + words.join(pick([' ', ',', '=', '/', '.', '&'], random)) + quote;
}

function sampleBoolean(random: () => number): string {
  return pick(['true', 'false'], random);
}

function sampleList(random: () => number): string {
  const sampleItem = pick([sampleNumber, sampleText], random);
  const items = Array.from({ length: pickInteger({ low: 0, high: 4, random }) }, () => sampleItem(random));
  return items.length === 0 ? '[]' : `[ ${items.join(', ')} ]`;
}

function sampleObject(random: () => number): string {
  return `{ ${pick(WORDS, random)}: ${pick([sampleNumber, sampleText, sampleBoolean], random)(random)} }`;
}

function sampleEmpty(random: () => number): string {
  return pick(['undefined', 'null', 'NaN', "''", '0', '[]', '{}', 'Infinity'], random);
}
