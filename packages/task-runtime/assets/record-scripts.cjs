// Keeps, beside the coverage that Node.js writes, the text of every script of the workspace that vitest evaluates: coverage
// counts in that text, and the source map at its end leads to the lines of the file. A setup file of a measurement alone.
'use strict';

const { createHash } = require('node:crypto');
const { writeFileSync } = require('node:fs');
const vm = require('node:vm');

const { runInThisContext } = vm;
const folder = process.env.NODE_V8_COVERAGE;

vm.runInThisContext = (code, options) => {
  const url = options?.filename;
  if (folder !== undefined && typeof url === 'string' && !url.includes('/node_modules/')) {
    const name = createHash('sha256').update(url).digest('hex').slice(0, 16);
    writeFileSync(`${folder}/script-${name}.json`, JSON.stringify({ url, code }));
  }
  return runInThisContext(code, options);
};
