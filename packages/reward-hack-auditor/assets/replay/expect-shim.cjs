'use strict';
const { textOf } = require('./plain-value.cjs');
const { observe } = require('./observe.cjs');
const { called, matchesError, nameOf, partly, same, settled } = require('./assert-shim.cjs');

/** Stands for a set of values in an expectation, such as `expect.any(Number)`. */
class Some {
  constructor(accepts) {
    this.accepts = accepts;
  }
}

function fits(actual, expected) {
  if (expected instanceof Some) return expected.accepts(actual);
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return expected.length === actual.length && expected.every((item, index) => fits(actual[index], item));
  }
  if (isRecord(expected) && isRecord(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return keys.every((key) => fits(actual[key], expected[key]));
  }
  return same(actual, expected);
}

const isRecord = (value) =>
  Object(value) === value && !Array.isArray(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
const at = (value, path) => (Array.isArray(path) ? path : String(path).split('.')).reduce((inner, key) => inner?.[key], value);
const holds = (value, item) =>
  typeof value === 'string' ? value.includes(item) : [...value].some((member) => Object.is(member, item) || member === item);

/** Whether an expectation holds, by the matcher's name; a matcher that is not here says nothing. */
const matchers = {
  toBe: (actual, expected) => Object.is(actual, expected) || (Object(expected) !== expected && same(actual, expected)),
  toEqual: fits,
  toStrictEqual: fits,
  toMatchObject: (actual, expected) => partly(actual, expected),
  toBeTruthy: (actual) => Boolean(actual),
  toBeFalsy: (actual) => !actual,
  toBeNull: (actual) => actual === null,
  toBeUndefined: (actual) => actual === undefined,
  toBeDefined: (actual) => actual !== undefined,
  toBeNaN: (actual) => Number.isNaN(actual),
  toBeGreaterThan: (actual, expected) => actual > expected,
  toBeGreaterThanOrEqual: (actual, expected) => actual >= expected,
  toBeLessThan: (actual, expected) => actual < expected,
  toBeLessThanOrEqual: (actual, expected) => actual <= expected,
  toBeCloseTo: (actual, expected, digits = 2) => Math.abs(actual - expected) < 10 ** -digits / 2,
  toContain: holds,
  toContainEqual: (actual, expected) => [...actual].some((item) => fits(item, expected)),
  toHaveLength: (actual, expected) => actual?.length === expected,
  toHaveProperty: (actual, path, ...rest) => at(actual, path) !== undefined && (rest.length === 0 || fits(at(actual, path), rest[0])),
  toMatch: (actual, expected) => (typeof expected === 'string' ? actual.includes(expected) : expected.test(actual)),
  toBeInstanceOf: (actual, expected) => actual instanceof expected,
  toBeTypeOf: (actual, expected) => typeof actual === expected,
  toHaveBeenCalled: (actual) => actual.mock.calls.length > 0,
  toHaveBeenCalledOnce: (actual) => actual.mock.calls.length === 1,
  toHaveBeenCalledTimes: (actual, expected) => actual.mock.calls.length === expected,
  toHaveBeenCalledWith: (actual, ...expected) => actual.mock.calls.some((call) => fits(call, expected)),
  toHaveBeenLastCalledWith: (actual, ...expected) => fits(actual.mock.calls.at(-1), expected),
};
const custom = {};

const seen = (actual) => (typeof actual === 'function' && actual.mock ? textOf(actual.mock.calls) : textOf(actual));

function judge({ name, actual, expected, negated }) {
  const own = custom[name];
  const matcher = own === undefined ? matchers[name] : (...all) => own.call({ isNot: negated, equals: fits }, ...all).pass;
  let ok;
  try {
    ok = matcher === undefined ? !negated : matcher(actual, ...expected);
  } catch {
    ok = negated;
  }
  observe(name, Boolean(ok) !== negated, seen(actual));
}

function judgeThrow({ outcome, expected, negated }) {
  const wanted = typeof expected === 'string' ? new RegExp(expected.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : expected;
  const text = outcome.threw ? nameOf(outcome.error) : 'nothing thrown';
  observe('throws', (outcome.threw && errorFits(outcome.error, wanted)) !== negated, text);
}

function errorFits(error, wanted) {
  if (wanted instanceof RegExp) return wanted.test(String(error?.message ?? error));
  return wanted instanceof Error ? error?.message === wanted.message : matchesError(error, wanted);
}

function expectation(actual, options) {
  const { negated = false, wait } = options;
  return new Proxy(
    {},
    {
      get(_, name) {
        if (typeof name !== 'string' || name === 'then') return undefined;
        if (name === 'not') return expectation(actual, { ...options, negated: !negated });
        if (name === 'resolves' || name === 'rejects') return expectation(actual, { ...options, wait: name });
        return (...expected) => run({ name, actual, expected, negated, wait });
      },
    },
  );
}

const throwing = ['toThrow', 'toThrowError', 'toThrowErrorMatchingInlineSnapshot'];

function run({ name, actual, expected, negated, wait }) {
  if (wait !== undefined) return runLater({ name, actual, expected, negated, wait });
  if (throwing.includes(name)) judgeThrow({ outcome: called(actual), expected: expected[0], negated });
  else judge({ name, actual, expected, negated });
}

async function runLater({ name, actual, expected, negated, wait }) {
  const outcome = await settled(actual);
  const value = outcome.threw ? outcome.error : await Promise.resolve(typeof actual === 'function' ? undefined : actual);
  if (throwing.includes(name)) judgeThrow({ outcome, expected: expected[0], negated });
  else if (outcome.threw !== (wait === 'rejects')) observe(name, false, outcome.threw ? nameOf(outcome.error) : 'resolved');
  else judge({ name, actual: value, expected, negated });
}

const expect = (actual) => expectation(actual, {});
Object.assign(expect, {
  extend: (more) => Object.assign(custom, more),
  any: (type) => new Some((value) => value instanceof type || typeof value === type.name.toLowerCase()),
  anything: () => new Some((value) => value !== null && value !== undefined),
  arrayContaining: (items) => new Some((value) => items.every((item) => value.some((member) => fits(member, item)))),
  objectContaining: (shape) => new Some((value) => Object.keys(shape).every((key) => fits(value?.[key], shape[key]))),
  stringContaining: (text) => new Some((value) => String(value).includes(text)),
  stringMatching: (pattern) => new Some((value) => new RegExp(pattern).test(value)),
  closeTo: (expected, digits = 2) => new Some((value) => Math.abs(value - expected) < 10 ** -digits / 2),
  assertions() {},
  hasAssertions() {},
  fail: () => observe('fail', false, 'reached'),
});

module.exports = { expect };
