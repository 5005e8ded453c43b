import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createParserCache } from '../src/generator/syntax-parser.js';
import { createModelGenerator } from '../src/index.js';
import { estimateTokens, excerptAround } from '../src/model-written/excerpt.js';
import { fence } from '../src/model-written/fence.js';
import { findFunctions } from '../src/model-written/find-functions.js';
import { jsonObjects } from '../src/model-written/json-objects.js';
import { loadPrompt } from '../src/model-written/load-prompt.js';
import { promptsDirectory } from '../src/prompts-directory.js';
import { bugAnswer, says } from './support/model-server.js';
import { proposeWithModel } from './support/propose-with-model.js';
import { sampleFiles, sampleSnapshot, writeProject } from './support/sample-project.js';

describe('a prompt file', () => {
  test('is filled at its placeholders, and not inside what was filled in', () => {
    const directory = writeProject({ 'a.md': 'Do {{what}} in {{file}}, {{what}}!\n' });
    const prompt = loadPrompt({ directory, file: 'a.md', names: ['what', 'file'] });
    expect(prompt.fill({ what: '{{file}} $& $1', file: 'x.js' })).toBe('Do {{file}} $& $1 in x.js, {{file}} $& $1!');
    expect(prompt.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['lacks a placeholder', 'Do {{what}}', 'invalid-config'],
    ['has one too many', 'Do {{what}} in {{file}} of {{project}}', 'invalid-config'],
    ['is not there', undefined, 'storage'],
  ])('that %s is refused when it is loaded', (_, text, code) => {
    const directory = writeProject(text === undefined ? {} : { 'a.md': text });
    expect(() => loadPrompt({ directory, file: 'a.md', names: ['what', 'file'] })).toThrow(expect.objectContaining({ code }));
  });

  test('of a caller takes the place of the package’s', async () => {
    const prompts = writeProject({ 'bug.md': 'My {{file}} `{{functionName}}` {{source}}', 'repair.md': '{{problem}}' });
    const { received } = await proposeWithModel({ script: [(request) => says(bugAnswer(request))], prompts });
    expect(received[0]!.body.messages[0]!.content).toMatch(/^My lib\//);
    const endpoint = { baseURL: 'http://localhost:1/v1', model: 'scripted' };
    expect(() => createModelGenerator({ kind: 'written', endpoint, prompts })).toThrow(expect.objectContaining({ code: 'storage' }));
  });

  test('stands in the package for every kind', () => {
    expect(readdirSync(promptsDirectory()).sort()).toEqual([
      ...['bug.md', 'feature-breaks.md', 'reimplement.md', 'repair.md', 'statement.md', 'written.md'],
    ]);
  });
});

describe('an excerpt', () => {
  test('grows by a line below and one above while they fit', () => {
    const text = 'a1\nb2\nc3\nd4\ne5\n';
    // Each line is 3 bytes with its end: 12 bytes hold four of them.
    expect(excerptAround({ text, lines: { start: 3, end: 3 }, maxTokens: 3 })).toBe('b2\nc3\nd4\ne5');
    expect(excerptAround({ text, lines: { start: 1, end: 1 }, maxTokens: 1 })).toBe('a1');
    expect(excerptAround({ text, lines: { start: 1, end: 2 }, maxTokens: 1 })).toBe('');
  });

  test('is whole where it fits, and never longer than its bound', () => {
    const lines = fc.array(
      fc.string({ unit: 'grapheme' }).map((line) => line.replace(/\n/g, '')),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(lines, fc.nat(), fc.integer({ min: 1, max: 60 }), (parts, place, maxTokens) => {
        const text = parts.join('\n');
        const line = 1 + (place % parts.length);
        const excerpt = excerptAround({ text, lines: { start: line, end: line }, maxTokens });
        expect(estimateTokens(excerpt)).toBeLessThanOrEqual(maxTokens);
        expect(text).toContain(excerpt);
        if (Buffer.byteLength(text) + 1 <= maxTokens * 4) expect(excerpt).toBe(text);
      }),
    );
  });

  test('bounds what a prompt shows of a long file', async () => {
    const long = `${sampleFiles['lib/list.js']}${'// filler\n'.repeat(4000)}`;
    const snapshot = sampleSnapshot({ files: { ...sampleFiles, 'lib/list.js': long }, sourceFiles: ['lib/list.js'] });
    const { received } = await proposeWithModel({ script: [(request) => says(bugAnswer(request))], snapshot, maxSourceTokens: 200 });
    expect(received[0]!.body.messages[0]!.content.match(/filler/g)!.length).toBeLessThan(80);
  });
});

test('a fence cannot be closed by what it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('`', 'a', '\n') }), (text) => {
      const [first, ...rest] = fence(text).split('\n');
      expect(first).toMatch(/^`{3,}$/);
      expect(rest.filter((line) => line.startsWith(first!))).toEqual([first]);
      expect(rest.at(-1)).toBe(first);
    }),
  );
});

describe('JSON objects in a text', () => {
  test('are found between any prose without braces and quotes', () => {
    const prose = fc.string().map((text) => text.replace(/[{}"]/g, ''));
    fc.assert(
      fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, object, after) => {
        expect(jsonObjects(before + JSON.stringify(object) + after)).toEqual([JSON.parse(JSON.stringify(object))]);
      }),
    );
  });

  test.each<[string, string, object[]]>([
    ['two of them', '{"a":1} or {"a":2}', [{ a: 1 }, { a: 2 }]],
    ['braces in strings', '{"a":"} \\" {"}', [{ a: '} " {' }]],
    ['code before', 'function f() { return 1; } {"a":1}', [{ a: 1 }]],
    ['an open brace before', '{ see: {"a":1}', [{ a: 1 }]],
    ['a trailing comma', '{"a":{"b":1},}', []],
    ['none', 'no object', []],
  ])('with %s', (_, text, objects) => {
    expect(jsonObjects(text)).toEqual(objects);
  });

  test('are not looked for without end', () => {
    expect(jsonObjects('{'.repeat(100_000))).toEqual([]);
  });
});

test('functions are found by their declaration, with their comments and without anonymous ones', async () => {
  const text = `import x from 'y';

// Adds.
// Fast.
export function add(a, b) { return a + b; }

const half = (a) => a / 2;
exports.twice = function (a) { return [a].map((one) => one * 2)[0]; };
class Box { open() { return 1; } }
const one = () => 1, two = () => 2;
`;
  const parser = await createParserCache().parserFor('javascript');
  const found = findFunctions({ text, parser });
  expect(found.map(({ name, start, end, lines }) => [name, text.slice(start, end), lines.start, lines.end])).toEqual([
    ['add', 'function add(a, b) { return a + b; }', 3, 5],
    ['half', 'const half = (a) => a / 2;', 7, 7],
    ['exports.twice', 'exports.twice = function (a) { return [a].map((one) => one * 2)[0]; }', 8, 8],
    ['open', 'open() { return 1; }', 9, 9],
  ]);
  expect(text.slice(found[0]!.body.start, found[0]!.body.end)).toBe('{ return a + b; }');
});
