import type { TestResult } from '@tadpole/contracts';
import { expect, test } from 'vitest';
import { chooseSymptom } from '../src/validate/choose-symptom.js';

const failed = (name: string, extra: Partial<TestResult>): TestResult => ({
  id: `t.js::${name}`,
  file: 't.js',
  name,
  status: 'failed',
  ...extra,
});
const [values, thrown] = [
  failed('values', { kind: 'assertion', expected: '1', observed: '2', message: 'x' }),
  failed('thrown', { kind: 'error', message: 'TypeError: a' }),
];
const bare = failed('bare', {
  kind: 'assertion',
  message: 'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n',
});

test('prefers printed values, then an error, then an assertion without its headline', () => {
  const choose = (...tests: TestResult[]) => chooseSymptom({ first: tests, second: tests });
  expect(choose(bare, thrown, values)).toEqual({ testName: 'values', expected: '1', observed: '2' });
  expect(choose(bare, thrown)).toEqual({ testName: 'thrown', error: 'TypeError: a' });
  expect(choose(bare)?.error?.trim()).toBe('1 !== 2');
});

test('passes over what differs between the two runs', () => {
  const other = { ...values, observed: '3' };
  expect(chooseSymptom({ first: [values, thrown], second: [other, thrown] })).toEqual({ testName: 'thrown', error: 'TypeError: a' });
  expect(chooseSymptom({ first: [thrown], second: [] })).toBeNull();
});

test('takes objects that are printed with another address for the same, and says no address', () => {
  const printed = (address: string) => failed('objects', { kind: 'assertion', message: `assert <f at ${address}> == 1` });
  const shown = (address: string) => failed('values', { kind: 'assertion', expected: '1', observed: `<map object at ${address}>` });
  expect(chooseSymptom({ first: [printed('0x7f10Ab')], second: [printed('0x55e0')] })).toEqual({
    testName: 'objects',
    error: 'assert <f at 0x…> == 1',
  });
  expect(chooseSymptom({ first: [shown('0x1')], second: [shown('0x2')] })).toMatchObject({ observed: '<map object at 0x…>' });
  const other = failed('objects', { kind: 'assertion', message: 'assert <g at 0x1> == 1' });
  expect(chooseSymptom({ first: [printed('0x1')], second: [other] })).toBeNull();
});
