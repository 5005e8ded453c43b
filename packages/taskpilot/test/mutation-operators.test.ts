import { describe, expect, test } from 'vitest';
import { applyEdits } from '../src/edit/apply-edits.js';
import type { Language } from '../src/generator/languages/language.js';
import { languages } from '../src/generator/languages/languages.js';
import { lineOperators, mutationOperators } from '../src/generator/mutation-operators.js';
import { collectSites, parseFile } from '../src/generator/mutation-site.js';
import { parsesClean } from '../src/generator/parses-clean.js';
import { createParserCache } from '../src/generator/syntax-parser.js';
import { goFixtures } from './operator-fixtures/go-fixtures.js';
import { javaFixtures } from './operator-fixtures/java-fixtures.js';
import { javascriptFixtures } from './operator-fixtures/javascript-fixtures.js';
import type { OperatorFixtures } from './operator-fixtures/operator-fixture.js';
import { pythonFixtures } from './operator-fixtures/python-fixtures.js';
import { rustFixtures } from './operator-fixtures/rust-fixtures.js';

const fixturesOf: Readonly<Record<string, OperatorFixtures>> = {
  javascript: javascriptFixtures,
  typescript: javascriptFixtures,
  tsx: javascriptFixtures,
  python: pythonFixtures,
  go: goFixtures,
  rust: rustFixtures,
  java: javaFixtures,
};

/** Head, indentation and tail of a function around code. */
const functions: Readonly<Record<string, readonly [string, string, string]>> = {
  javascript: ['async function outer() {\n', '  ', '}\n'],
  typescript: ['async function outer() {\n', '  ', '}\n'],
  tsx: ['async function outer() {\n', '  ', '}\n'],
  python: ['async def outer():\n', '    ', ''],
  go: ['package p\n\nfunc outer() {\n', '\t', '}\n'],
  rust: ['fn outer() {\n', '    ', '}\n'],
  java: ['class P {\n  void outer() {\n', '    ', '  }\n}\n'],
};

const cases = languages.flatMap((language) =>
  Object.entries(fixturesOf[language.name] ?? {}).map(([operator, fixture]) => ({ language, operator, ...fixture })),
);

const parsers = createParserCache();

async function formsOf(options: { operator: string; language: Language; code: string }): Promise<string[]> {
  const { operator, language, code } = options;
  const file = `a${language.extensions[0]}`;
  const source = parseFile({ file, text: code, language, parser: await parsers.parserFor(language.grammar) });
  if (source === null) throw new Error(`no tree for ${code}`);
  expect(source.tree.rootNode.hasError, code).toBe(false);
  const sites = collectSites({ source, operators: mutationOperators.filter(({ name }) => name === operator) });
  const forms = sites.filter(parsesClean).map(({ replacements }) =>
    applyEdits(
      code,
      replacements.map((part) => ({ file, ...part })),
    ),
  );
  source.tree.delete();
  return forms.sort();
}

/** Code of a fixture as a file: inside a function, every line but those inside its literals indented. */
function asFile(options: { language: string; code: string; at: 'top' | undefined }): string {
  const [head = '', indent = '', tail = ''] = functions[options.language] ?? [];
  if (options.at === 'top') return options.code;
  const lines = options.code.replace(/\n$/, '').split('\n');
  const isEmpty = options.code === '';
  return head + (isEmpty ? '' : `${lines.map((line) => indent + line).join('\n')}\n`) + tail;
}

describe.each(cases)('$language.name $operator', ({ language, operator, mutates, keeps, at }) => {
  const [code, ...expected] = mutates;
  const name = language.name;

  test('writes its bugs', async () => {
    const forms = await formsOf({ operator, language, code: asFile({ language: name, code, at }) });
    expect(forms).toEqual(expected.map((form) => asFile({ language: name, code: form, at })).sort());
  });

  test('leaves alone what only looks alike', async () => {
    expect(await formsOf({ operator, language, code: asFile({ language: name, code: keeps, at }) })).toEqual([]);
  });
});

test.each(languages)('every operator that has a role in $name has fixtures, and no other', (language) => {
  const used = mutationOperators.filter((operator) => operator.nodeTypes(language).length > 0).map(({ name }) => name);
  expect(Object.keys(fixturesOf[language.name] ?? {}).sort()).toEqual(used.sort());
});

test('names are unique, and the small operators are the first of all', () => {
  const names = mutationOperators.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(18);
  expect(lineOperators.map(({ name }) => name)).toEqual(names.slice(0, lineOperators.length));
});

test.each(languages.filter(({ name }) => ['javascript', 'typescript', 'python'].includes(name)))(
  'what $name decides while a module is loaded stays, and what a function in it decides does not',
  async (language) => {
    const isPython = language.name === 'python';
    const decision = 'x = a == b';
    const formsIn = (code: string) => formsOf({ operator: 'flip-equality', language, code });
    expect(await formsIn(isPython ? `${decision}\nclass C:\n    y = c == d\n` : `${decision};\nif (c == d) e();\n`)).toEqual([]);
    expect(await formsIn(isPython ? 'f = lambda: a == b\n' : 'const f = () => a == b;\n')).toHaveLength(1);
  },
);

test('a statement does not change places with documentation, nor a special method with another', async () => {
  const python = languages.find(({ name }) => name === 'python') as Language;
  const documented = 'def f(x):\n    """About x."""\n    x.y = 1\n';
  expect(await formsOf({ operator: 'swap-statements', language: python, code: documented })).toEqual([]);
  const methods = (first: string, second: string) =>
    `class C:\n    def ${first}(self):\n        return self.a()\n\n    def ${second}(self):\n        return self.b()\n`;
  expect(await formsOf({ operator: 'swap-bodies', language: python, code: methods('__hash__', '__repr__') })).toEqual([]);
  expect(await formsOf({ operator: 'swap-bodies', language: python, code: methods('first', 'second') })).toHaveLength(1);
});

test('an assertion in the sources stays: code that is right holds it, with or without the words', async () => {
  const python = languages.find(({ name }) => name === 'python') as Language;
  const code = 'def f(x):\n    assert x\n    raise x\n';
  expect(await formsOf({ operator: 'remove-statement', language: python, code })).toEqual(['def f(x):\n    assert x\n    pass\n']);
});
