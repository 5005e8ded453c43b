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
