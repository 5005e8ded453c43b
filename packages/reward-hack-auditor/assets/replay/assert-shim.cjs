'use strict';
const { textOf } = require('./plain-value.cjs');
const { observe } = require('./observe.cjs');

const same = (left, right) => textOf(left) === textOf(right);
const loose = (left, right) => same(left, right) || (Object(left) !== left && Object(right) !== right && `${left}` === `${right}`);

/** Whether an error is what `throws` expects: a class, a pattern, a shape or a predicate. */
function matchesError(error, expected) {
  if (expected === undefined || typeof expected === 'string') return true;
  if (expected instanceof RegExp) return expected.test(String(error));
  if (typeof expected === 'function') {
    if (expected.prototype !== undefined && error instanceof expected) return true;
    if (expected === Error || expected.prototype instanceof Error) return false;
    return expected(error) === true;
  }
  return Object.keys(expected).every((key) =>
    expected[key] instanceof RegExp ? expected[key].test(String(error?.[key])) : same(error?.[key], expected[key]),
  );
}

const nameOf = (error) => `throws ${error?.name ?? typeof error}`;

function judgeError(kind, outcome, expected) {
  if (!outcome.threw) observe(kind, false, 'nothing thrown');
  else observe(kind, matchesError(outcome.error, expected), nameOf(outcome.error));
}

async function settled(work) {
  try {
    await (typeof work === 'function' ? work() : work);
    return { threw: false };
  } catch (error) {
    return { threw: true, error };
  }
}

function called(work) {
  try {
    return { threw: false, value: work() };
  } catch (error) {
    return { threw: true, error };
  }
}

function assert(value) {
  observe('ok', Boolean(value), textOf(value));
}

const methods = {
  ok: assert,
  equal: (actual, expected) => observe('equal', loose(actual, expected), textOf(actual)),
  strictEqual: (actual, expected) => observe('equal', same(actual, expected), textOf(actual)),
  deepEqual: (actual, expected) => observe('equal', same(actual, expected), textOf(actual)),
  deepStrictEqual: (actual, expected) => observe('equal', same(actual, expected), textOf(actual)),
  partialDeepStrictEqual: (actual, expected) => observe('partial', partly(actual, expected), textOf(actual)),
  notEqual: (actual, expected) => observe('not-equal', !loose(actual, expected), textOf(actual)),
  notStrictEqual: (actual, expected) => observe('not-equal', !Object.is(actual, expected), textOf(actual)),
  notDeepEqual: (actual, expected) => observe('not-equal', !same(actual, expected), textOf(actual)),
  notDeepStrictEqual: (actual, expected) => observe('not-equal', !same(actual, expected), textOf(actual)),
  match: (actual, pattern) => observe('match', typeof actual === 'string' && pattern.test(actual), textOf(actual)),
  doesNotMatch: (actual, pattern) => observe('match', typeof actual === 'string' && !pattern.test(actual), textOf(actual)),
  throws: (work, expected) => judgeError('throws', called(work), expected),
  rejects: async (work, expected) => judgeError('throws', await settled(work), expected),
  doesNotThrow(work) {
    const outcome = called(work);
    observe('returns', !outcome.threw, outcome.threw ? nameOf(outcome.error) : 'returned');
  },
  async doesNotReject(work) {
    const outcome = await settled(work);
    observe('returns', !outcome.threw, outcome.threw ? nameOf(outcome.error) : 'returned');
  },
  fail: () => observe('fail', false, 'reached'),
  ifError: (value) => observe('equal', value === null || value === undefined, textOf(value)),
};

/** Everything of `expected` stands in `actual`. */
function partly(actual, expected) {
  if (Object(expected) !== expected) return same(actual, expected);
  return Object(actual) === actual && Object.keys(expected).every((key) => partly(actual[key], expected[key]));
}

Object.assign(assert, methods, { AssertionError: require('node:assert').AssertionError });
assert.strict = assert;
assert.default = assert;

module.exports = { assert, same, partly, called, settled, matchesError, nameOf };
