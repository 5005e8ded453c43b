import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { languageOf, languages } from '../src/generator/languages/languages.js';
import { parseFile } from '../src/generator/mutation-site.js';
import { createParserCache } from '../src/generator/syntax-parser.js';
import { seededRandom } from '../src/seeded-random.js';
import { behaviourPreservingRewrites } from '../src/variants/behaviour-preserving-rewrites.js';
import { rewriteFixtures } from './support/rewrite-fixtures.js';
import { wholePrograms } from './support/whole-programs.js';

const everyLine = { start: 1, end: Number.MAX_SAFE_INTEGER };

/** Head, indentation and tail of a function around code. */
const functions: Readonly<Record<string, readonly [string, string, string]>> = {
  javascript: ['function outer() {\n', '  ', '}\n'],
  typescript: ['function outer() {\n', '  ', '}\n'],
  tsx: ['function outer() {\n', '  ', '}\n'],
  python: ['def outer():\n', '  ', ''],
  go: ['package p\n\nfunc outer() {\n', '\t', '}\n'],
  rust: ['fn outer() {\n', '  ', '}\n'],
  java: ['class P {\n  void outer() {\n', '  ', '  }\n}\n'],
};

const cases = languages.flatMap(({ name, extensions }) =>
  Object.entries(rewriteFixtures[name] ?? {}).map(([form, fixture]) => ({ name, file: `a${extensions[0]}`, form, ...fixture })),
);

describe('forms', () => {
  test.each(cases)('$form in $name', async ({ name, file, form, rewrites, keeps }) => {
    const [head, indent, tail] = functions[name] as readonly [string, string, string];
    const whole = (code: string) => `${head}${code.replace(/^/gm, indent)}\n${tail}`;
    const formsOf = async (code: string) => {
      const variants = behaviourPreservingRewrites({ forms: [form], limit: 100 });
      return [...(await variants({ file, text: whole(code), lines: everyLine, random: seededRandom(1) }))].sort();
    };
    if (rewrites !== undefined) expect(await formsOf(rewrites[0])).toEqual(rewrites.slice(1).map(whole).sort());
    for (const code of keeps) expect(await formsOf(code), code).toEqual([]);
  });

  test('are all told of, in every language', () => {
    const forms = Object.keys(rewriteFixtures.javascript ?? {}).sort();
    expect(forms).toHaveLength(10);
    for (const { name } of languages) expect(Object.keys(rewriteFixtures[name] ?? {}).sort()).toEqual(forms);
  });
});

/** Programs with other line ends, tabs, a byte order mark and astral characters, and lines of them. */
const programs = fc
  .record({
    language: fc.constantFrom(...languages),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\uFEFF'),
    isTabbed: fc.boolean(),
    lines: fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 50 })),
    seed: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ language, lineEnd, mark, isTabbed, lines: [start, more], seed }) => {
    const program = wholePrograms[language.name].replaceAll('NOTE', '😀 a < b');
    const indented = isTabbed ? program.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)) : program;
    const text = mark + indented.replaceAll('\n', lineEnd);
    return { file: `a${language.extensions[0]}`, text, lineEnd, lines: { start, end: start + more }, seed };
  });

test('every text parses, differs inside the lines alone and keeps line ends, tabs and byte order mark', async () => {
  const parsers = createParserCache();
  const parse = async (file: string, text: string) => {
    const language = languageOf(file);
    const source = language && parseFile({ file, text, language, parser: await parsers.parserFor(language.grammar) });
    const hasError = source?.tree.rootNode.hasError;
    source?.tree.delete();
    return hasError;
  };
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(programs, async ({ file, text, lineEnd, lines, seed }) => {
      const before = text.split('\n');
      for (const variant of await behaviourPreservingRewrites({ limit: 30 })({ file, text, lines, random: seededRandom(seed) })) {
        seen++;
        expect(variant).not.toBe(text);
        expect(await parse(file, variant), variant).toBe(false);
        const after = variant.split('\n');
        expect(after.slice(0, lines.start - 1)).toEqual(before.slice(0, lines.start - 1));
        const rest = Math.max(0, before.length - lines.end);
        expect(after.slice(after.length - rest)).toEqual(before.slice(before.length - rest));
        expect(variant.match(/\r?\n/g)?.every((end) => end === lineEnd)).toBe(true);
        expect(variant.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
      }
    }),
    { numRuns: 25 },
  );
  expect(seen).toBeGreaterThan(20);
});

test('at most six are given, mixed by form, in an order that the seed decides', async () => {
  const text = wholePrograms.javascript;
  const rewrite = (seed: number) =>
    behaviourPreservingRewrites()({ file: 'a.js', text, lines: { start: 5, end: 24 }, random: seededRandom(seed) });
  const [first, again, other] = await Promise.all([rewrite(1), rewrite(1), rewrite(2)]);
  expect(first).toHaveLength(6);
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

test('code outside of functions and files of unknown languages have none', async () => {
  const options = { lines: everyLine, random: () => 0 };
  expect(await behaviourPreservingRewrites()({ ...options, file: 'a.js', text: 'let x = 1;\nlet y = a + b * c;\n' })).toEqual([]);
  expect(await behaviourPreservingRewrites()({ ...options, file: 'a.txt', text: wholePrograms.javascript })).toEqual([]);
});

test('an unknown form and a limit below one are refused', () => {
  expect(() => behaviourPreservingRewrites({ forms: ['sort-lines'] })).toThrowError(expect.objectContaining({ code: 'invalid-config' }));
  expect(() => behaviourPreservingRewrites({ limit: 0 })).toThrowError(expect.objectContaining({ code: 'invalid-config' }));
});
