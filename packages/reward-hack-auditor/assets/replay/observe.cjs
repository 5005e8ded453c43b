'use strict';
const { writeSync } = require('node:fs');
const { stringify } = require('./plain-value.cjs');
const write = writeSync;
const now = process.hrtime.bigint.bind(process.hrtime);

/** What runs at the moment: variant, test, and how many observations the test has made. */
const state = { nonce: '', variant: 0, test: '', count: 0 };

/** Says something on standard output, on a line that only this run's nonce begins. */
function say(message) {
  const line = `\n${state.nonce}${stringify(message)}\n`;
  let rest = Buffer.from(line);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(write(1, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/** Records an assertion: whether it holds on plain copies, and the values that it looks at. Never throws: what follows counts too. */
function observe(kind, ok, actual) {
  if (state.count > 300) return;
  say({ v: state.variant, t: state.test, n: state.count++, k: kind, ok: ok === true, a: actual });
}

const milliseconds = (since) => Number((now() - since) / 1000n) / 1000;

module.exports = { state, say, observe, now, milliseconds };
