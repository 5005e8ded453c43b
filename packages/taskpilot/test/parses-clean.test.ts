import { expect, test } from 'vitest';
import { languageOf } from '../src/generator/languages/languages.js';
import { parseFile } from '../src/generator/mutation-site.js';
import { parsesClean } from '../src/generator/parses-clean.js';
import { createParserCache } from '../src/generator/syntax-parser.js';

const parsers = createParserCache();

async function isClean(options: { file: string; text: string; before: string; after: string }): Promise<boolean> {
  const { file, text, before, after } = options;
  const language = languageOf(file);
  if (language === null) throw new Error(file);
  const source = parseFile({ file, text, language, parser: await parsers.parserFor(language.grammar) });
  if (source === null) throw new Error(text);
  const start = text.indexOf(before);
  expect(start).toBeGreaterThanOrEqual(0);
  const clean = parsesClean({ source, replacements: [{ start, end: start + before.length, text: after }] });
  source.tree.delete();
  return clean;
}

test.each([
  ['a missing bracket', 'a.js', 'f(a);\n', '(a)', '(a'],
  ['a word that joins the one before it', 'a.js', 'function f(a) { return!a }\n', '!a', 'a'],
  ['a word that joins the one after it', 'a.py', 'x = (a)if b else c\n', '(a)', 'a'],
  ['a call made of two statements', 'a.js', 'function f() {\nx = a\ng();\n(b)\n}\n', 'g();\n', ''],
  ['a Python block that swallows the next line', 'a.py', 'for x in y:\n    a()\nif c:\n    b()\n', 'if c:\n', ''],
  ['a Python line that moves into the block before it', 'a.py', 'def f():\n    if a:\n        b()\n    c()\n', '    c()', '        c()'],
  ['a Python line that ends its function early', 'a.py', 'def f():\n    a()\n    b()\n    c()\n', '    b()', 'b()'],
])('refuses %s', async (_, file, text, before, after) => {
  expect(await isClean({ file, text, before, after })).toBe(false);
});

test.each([
  ['a.js', 'x = a\nf() // note\n// 😀 more\ng()\n', 'f()', 'h(1)'],
  [
    'a.py',
    '# 😀\ndef f():\n    try:\n        a()\n    except E:\n        b()\n    c()\n',
    'try:\n        a()\n    except E:\n        b()',
    'a()',
  ],
  ['a.js', 'const broken = ;\nf(a);\n', '(a)', '(b)'],
])('accepts a change of %s that stays in its statement', async (file, text, before, after) => {
  expect(await isClean({ file, text, before, after })).toBe(true);
});
