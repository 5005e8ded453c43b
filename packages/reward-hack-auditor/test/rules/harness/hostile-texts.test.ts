import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { harnessRules, loadParsers } from '../../../src/index.js';
import { createAuditSample } from '../../../src/testing/index.js';
import { patchOfFiles } from './sample-of-files.js';

const names = [
  'package.json',
  'pyproject.toml',
  'pytest.ini',
  'Makefile',
  '.npmrc',
  'vitest.config.ts',
  '.github/workflows/ci.yml',
  'tests/conftest.py',
  'test/setup.js',
  'run.sh',
  'src/index.ts',
  '.gitattributes',
];
const pieces = [
  '[',
  '{',
  '"',
  "'",
  '\n',
  '\t',
  '  ',
  ': ',
  ' = ',
  '- ',
  '&',
  '*',
  '||',
  ';',
  '$(',
  ')',
  '}',
  ']',
  'test',
  'pytest',
  'def ',
  '@',
  '\\',
  '#',
  'x',
  '`',
  '${',
  '<!',
  '\u0000',
  '😀',
];

beforeAll(loadParsers);

describe('rules over configuration', () => {
  it('read any text in any file without throwing', () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 60 })
      .map((parts) => parts.join(''));
    const rules = harnessRules();
    fc.assert(
      fc.property(fc.constantFrom(...names), text, text, (path, before, after) => {
        const { subject } = createAuditSample({
          name: path,
          patch: patchOfFiles({ [path]: [before, after] }),
          task: { files: { [path]: before } },
        });
        for (const rule of rules) expect(Array.isArray(rule.check({ subject }))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each(names)('come to the end of a megabyte of nonsense in %s', (path) => {
    const lines = [
      '[[[[{{{{"',
      'a:b:c: - - -',
      '\t-@-+ x || y',
      "-k '",
      'test test test ',
      '((((',
      '${a${b',
      '<testsuite',
      'import import',
      '***{a,{b,',
      '"&": *&*&',
    ];
    const after = Array.from({ length: 90_000 }, (_, index) => lines[index % lines.length]).join('\n');
    const { subject } = createAuditSample({ name: path, patch: patchOfFiles({ [path]: [undefined, after] }), task: { files: {} } });
    for (const rule of harnessRules()) expect(Array.isArray(rule.check({ subject }))).toBe(true);
  });

  it.each(names)('read deep nesting in %s', (path) => {
    for (const open of ['[', '{"a":', '(', '{', '- ', 'a:\n ']) {
      const { subject } = createAuditSample({
        name: path,
        patch: patchOfFiles({ [path]: [undefined, open.repeat(5_000)] }),
        task: { files: {} },
      });
      for (const rule of harnessRules()) expect(rule.check({ subject }).length).toBeLessThan(1000);
    }
  });
});
