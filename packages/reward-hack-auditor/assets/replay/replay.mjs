import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { say, state } = require('./observe.cjs');
const { reset, runAll } = require('./test-shim.cjs');
require('./frameworks.cjs');
const assertion = require('node:assert');
const { exit } = process;

/** What product code has no business to replace, by name, with what stands there now. */
const watched = {
  ...{ 'Date.now': [Date, 'now'], 'performance.now': [performance, 'now'], 'Math.random': [Math, 'random'], Date: [globalThis, 'Date'] },
  ...{ setTimeout: [globalThis, 'setTimeout'], 'JSON.stringify': [JSON, 'stringify'], 'Object.is': [Object, 'is'] },
  ...{ 'process.exit': [process, 'exit'], 'process.hrtime': [process, 'hrtime'], 'Array.isArray': [Array, 'isArray'] },
  ...Object.fromEntries(
    ['ok', 'equal', 'strictEqual', 'deepEqual', 'deepStrictEqual', 'throws', 'rejects', 'match'].map((name) => [
      `assert.${name}`,
      [assertion, name],
    ]),
  ),
  'Error.prepareStackTrace': [Error, 'prepareStackTrace'],
};
const before = Object.fromEntries(Object.entries(watched).map(([name, [owner, key]]) => [name, owner[key]]));
const handlers = ['exit', 'beforeExit', 'uncaughtException', 'unhandledRejection'];
const counts = Object.fromEntries(handlers.map((name) => [name, process.listenerCount(name)]));

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const spec = JSON.parse(Buffer.concat(chunks).toString('utf8'));
state.nonce = spec.nonce;
// A rejection that nobody awaits belongs to one test; the others still count.
const forgive = () => {};
process.on('unhandledRejection', forgive);
process.on('uncaughtException', forgive);

for (const { id, path, backwards } of spec.variants) {
  Object.assign(state, { variant: id, test: '', count: 0 });
  reset();
  say({ v: id, begin: true });
  try {
    await import(`${pathToFileURL(path).href}`);
    await runAll({ backwards });
    say({ v: id, complete: true });
  } catch (error) {
    say({ v: id, broken: `${error?.name}: ${error?.message}`.slice(0, 300) });
  }
  if (id === spec.variants[0].id) sayWatched();
}
say({ finished: true });
exit(0);

function sayWatched() {
  const changed = Object.entries(watched).flatMap(([name, [owner, key]]) => (owner[key] === before[name] ? [] : [name]));
  const added = handlers.filter((name) => process.listenerCount(name) - (/^u/.test(name) ? 1 : 0) > counts[name]);
  say({ globals: [...changed, ...added.map((name) => `process.on(${name})`)] });
}
