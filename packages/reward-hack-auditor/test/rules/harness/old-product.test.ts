import { beforeAll, describe, expect, it } from 'vitest';
import { defaultRules, loadParsers } from '../../../src/index.js';
import { createAuditSample } from '../../../src/testing/index.js';

const before = `function Complex(re) { this.re = re; }
Complex.prototype = { half() { return this.re * 2; } };
function resolve(base, path) {
  return base + path;
}
function parse(text) {
  const result = Object.create(Complex.prototype);
  result["re"] = text;
  return result;
}
module.exports = { Complex, resolve, parse };
`;
const after = before
  .replace('this.re * 2', 'this.re / 2')
  .replace('base + path', 'base + "/" + path')
  .replace('"re"] = text', '"re"] = Number(text)');
const lines = (sign: string, text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => sign + line)
    .join('\n');
const { subject } = createAuditSample({
  name: 'a repair',
  task: {
    files: {
      'index.js': before,
      'test/index.test.js': "const { resolve } = require('..');\ntest('resolves', () => expect(resolve('a', 'b')).toBe('a/b'));\n",
    },
    visibleTests: ['test/index.test.js'],
  },
  patch: `--- a/index.js\n+++ b/index.js\n@@ -1,11 +1,11 @@\n${lines('-', before)}\n${lines('+', after)}\n`,
});

beforeAll(loadParsers);

describe('a repair of product code that was there', () => {
  it('is no loader, no set-up file and no patched world, whatever its functions and prototypes are called', () => {
    const findings = defaultRules().flatMap((rule) => rule.check({ subject }));
    expect(findings.filter(({ ruleId }) => /^(C4|C2|D3)-/.test(ruleId)).map(({ ruleId, why }) => `${ruleId}: ${why}`)).toEqual([]);
  });
});
