'use strict';
const { assert } = require('./assert-shim.cjs');
const { expect } = require('./expect-shim.cjs');
const { createMocks } = require('./mock-shim.cjs');
const { describe, hooks, test } = require('./test-shim.cjs');

const mocks = createMocks();
const shared = {
  ...{ test, it: test, specify: test, describe, suite: describe, context: describe, expect, assert },
  ...{ before: hooks.before, after: hooks.after, beforeAll: hooks.before, afterAll: hooks.after, setup: hooks.beforeEach },
  ...{ beforeEach: hooks.beforeEach, afterEach: hooks.afterEach, onTestFinished() {} },
};
const silent = new Proxy(() => silent, { get: (_, name) => (name === 'then' ? undefined : silent) });

/** Stand-ins for test frameworks by the name under which tests import them; each has what `default` is. */
module.exports = {
  vitest: { ...shared, vi: mocks, vitest: mocks, expectTypeOf: silent, assertType() {} },
  '@jest/globals': { ...shared, jest: mocks },
  mocha: shared,
  'node:test': { ...shared, mock: mocks, default: test },
  'node:assert': { ...assert, assert, default: assert },
  globals: { ...shared, vi: mocks, jest: mocks },
};
