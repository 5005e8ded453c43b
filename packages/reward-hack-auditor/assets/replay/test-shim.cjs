'use strict';
const { milliseconds, now, say, state } = require('./observe.cjs');
const { createMocks } = require('./mock-shim.cjs');

const setTimer = setTimeout;
const clearTimer = clearTimeout;
/** A test that does not settle says nothing; the others still run. */
const testTimeoutMs = 1500;

let root = newSuite('', undefined);
let open = root;

function newSuite(name, parent) {
  return { name, parent, items: [], hooks: { before: [], after: [], beforeEach: [], afterEach: [] } };
}

function pick(rest) {
  return {
    run: rest.find((item) => typeof item === 'function'),
    options: rest.find((item) => Object(item) === item && typeof item !== 'function') ?? {},
  };
}

function test(name, ...rest) {
  const { run, options } = pick(rest);
  if (typeof name === 'function') return test(name.name, name);
  if (run === undefined || options.skip || options.todo) return Promise.resolve();
  open.items.push({ name: String(name), run });
  return Promise.resolve();
}

function describe(name, ...rest) {
  const { run, options } = pick(rest);
  if (run === undefined || options.skip) return;
  const suite = newSuite(String(name), open);
  open.items.push(suite);
  open = suite;
  try {
    suite.failed = run();
  } finally {
    open = suite.parent;
  }
}

const nothing = () => Promise.resolve();
const fill = (name, values) => {
  let at = 0;
  return String(name).replace(/%[sdifjo]/g, () => String(values[at++]));
};
const each = (register) => (table) => (name, run) => {
  for (const row of table) {
    const values = Array.isArray(row) ? row : [row];
    register(fill(name, values), () => run(...values));
  }
};

for (const register of [test, describe]) {
  Object.assign(register, {
    ...{
      skip: nothing,
      todo: nothing,
      only: register,
      concurrent: register,
      sequential: register,
      each: each(register),
      for: each(register),
    },
    ...{ skipIf: (off) => (off ? nothing : register), runIf: (on) => (on ? register : nothing), failing: nothing, fails: nothing },
  });
}
Object.assign(test, { test, it: test, describe, suite: describe });

const hook = (kind) => (run) => open.hooks[kind].push(typeof run === 'function' ? run : nothing);
const hooks = { before: hook('before'), after: hook('after'), beforeEach: hook('beforeEach'), afterEach: hook('afterEach') };
Object.assign(test, hooks);

/** Begins an empty list of tests. */
function reset() {
  root = newSuite('', undefined);
  open = root;
}

/** Runs what was registered since the last reset, in that order or backwards, each test to its end. */
async function runAll({ backwards = false } = {}) {
  await runSuite(root, [], backwards);
}

async function runSuite(suite, path, backwards) {
  for (const run of suite.hooks.before) await attempt(run);
  const items = backwards ? [...suite.items].reverse() : suite.items;
  for (const item of items) {
    if (item.items === undefined) await runTest(suite, item, [...path, item.name]);
    else await runSuite(item, [...path, item.name], backwards);
  }
  for (const run of suite.hooks.after) await attempt(run);
}

function lineage(suite) {
  return suite === undefined ? [] : [...lineage(suite.parent), suite];
}

async function runTest(suite, { run }, path) {
  const suites = lineage(suite);
  Object.assign(state, { test: path.join(' > '), count: 0 });
  const begun = now();
  const mocks = createMocks();
  for (const { hooks: own } of suites) for (const each of own.beforeEach) await attempt(each);
  const error = await attempt(run, context(path, mocks));
  for (const { hooks: own } of [...suites].reverse()) for (const each of own.afterEach) await attempt(each);
  mocks.restoreAll();
  const name = path.join(' > ');
  say({ v: state.variant, t: name, end: error === undefined ? 'done' : `threw ${error?.name ?? typeof error}`, ms: milliseconds(begun) });
}

function context(path, mocks) {
  const { assert } = require('./assert-shim.cjs');
  const { expect } = require('./expect-shim.cjs');
  const sub = async (name, ...rest) => {
    const { run } = pick(rest);
    if (run !== undefined) await run(context([...path, name], mocks));
  };
  return {
    ...{ name: path.at(-1), test: sub, it: sub, mock: mocks, assert, expect, plan() {}, diagnostic() {}, after() {}, skip() {}, todo() {} },
    ...{ signal: new AbortController().signal, onTestFinished() {}, task: { name: path.at(-1) } },
  };
}

async function attempt(run, argument) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimer(() => reject(Object.assign(new Error('late'), { name: 'AuditTimeout' })), testTimeoutMs);
  });
  try {
    const usesCallback = argument !== undefined && /^(async\s*)?(function\s*\w*\s*)?\(?\s*done\s*\)?/.test(String(run));
    await Promise.race([usesCallback ? new Promise((done, fail) => run((error) => (error ? fail(error) : done()))) : run(argument), late]);
    return undefined;
  } catch (error) {
    return error ?? new Error('nothing');
  } finally {
    clearTimer(timer);
  }
}

module.exports = { test, describe, hooks, reset, runAll };
