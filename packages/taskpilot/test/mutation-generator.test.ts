import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate, SpanEdit } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../src/edit/apply-edits.js';
import { createMutationGenerator } from '../src/generator/create-mutation-generator.js';
import { lineOperators, mutationOperators } from '../src/generator/mutation-operators.js';
import { singleLineEdit } from '../src/generator/single-line-edit.js';
import { seededRandom } from '../src/seeded-random.js';
import { generatorConformance } from '../src/testing/index.js';
import { sampleSnapshot, writeProject } from './support/sample-project.js';

async function proposeAll(
  options: { files: Readonly<Record<string, string>>; seed?: number } & Parameters<typeof createMutationGenerator>[0],
) {
  const { files, seed = 1, ...settings } = options;
  const snapshot = sampleSnapshot({ files });
  const candidates: Candidate[] = [];
  const generator = createMutationGenerator(settings);
  for await (const candidate of generator.propose({
    snapshot: { ...snapshot, sourceFiles: Object.keys(files) },
    random: seededRandom(seed),
  }))
    candidates.push(candidate);
  return candidates;
}

/** Every mutated form of one line of a function by one operator, sorted. */
async function formsOf(operator: string, line: string, file = 'lib/a.js') {
  const operators = mutationOperators.filter(({ name }) => name === operator);
  expect(operators).toHaveLength(1);
  const [head, tail] = ['function outer() {\n', '\n}'];
  const text = head + line + tail;
  const candidates = await proposeAll({ files: { [file]: text }, operators });
  return candidates.map(({ edits }) => applyEdits(text, edits)?.slice(head.length, -tail.length)).sort();
}

describe('operators', () => {
  test.each<[string, string, string[]]>([
    ['flip-equality', 'x = a === b;', ['x = a !== b;']],
    ['flip-equality', 'x = a != b;', ['x = a == b;']],
    ['shift-boundary', 'x = a <= b;', ['x = a < b;']],
    ['reverse-comparison', 'x = a <= b;', ['x = a >= b;']],
    ['swap-logical', 'x = a && b || c;', ['x = a && b && c;', 'x = a || b || c;']],
    ['swap-logical', 'x = a ?? b;', []],
    ['swap-arithmetic', 'x = a * (b - c);', ['x = a * (b + c);', 'x = a / (b - c);']],
    ['swap-arithmetic', 'x = "a" + b;', []],
    ['swap-bitwise', 'x = a & b << c;', ['x = a & b >> c;', 'x = a | b << c;']],
    ['flip-update', 'x++;', ['x--;']],
    ['flip-update', 'for (let i = 0; i < n; i++) f(i);', []],
    ['flip-assignment', 'total += value;', ['total -= value;']],
    ['flip-assignment', 'text += "a";', []],
    ['flip-boolean', 'x = !true;', ['x = !false;']],
    ['shift-integer', 'x = 5;', ['x = 4;', 'x = 6;']],
    ['shift-integer', 'x = a - 0;', ['x = a - 1;']],
    ['shift-integer', 'x = 0x10 + 1.5 + 1e3 + 1n;', []],
    ['negate-condition', 'if (isOpen(x)) f();', ['if (!isOpen(x)) f();']],
    ['negate-condition', 'if (!x) f();', ['if (x) f();']],
    ['negate-condition', 'if (a in b) f();', ['if (!(a in b)) f();']],
    ['negate-condition', 'if (a < b) f();', []],
    ['negate-condition', 'x = a ? b : c;', ['x = !a ? b : c;']],
    ['negate-condition', 'while (a) f();', []],
    ['drop-negation', 'x = !a && b;', ['x = a && b;']],
    ['drop-negation', 'function f(a) { return!a }', []],
    ['swap-arguments', 'f(a, b, c);', ['f(a, c, b);', 'f(b, a, c);']],
    ['swap-arguments', 'f(a, () => 1); g(...a, b); h(a, a);', []],
    ['swap-branches', 'x = a ? b : c;', ['x = a ? c : b;']],
    ['swap-method', 'x = Math.min(a, b);', ['x = Math.max(a, b);']],
    ['swap-method', 'x = text.lastIndexOf(a); y = text.min;', ['x = text.indexOf(a); y = text.min;']],
  ])('%s turns %s into %j', async (operator, line, forms) => {
    expect(await formsOf(operator, line)).toEqual(forms);
  });

  test('types are left alone, values in TypeScript are not', async () => {
    expect(await formsOf('shift-integer', 'type A = 1 | 2; let x: 3 = 4 as 5;', 'lib/a.ts')).toEqual([
      'type A = 1 | 2; let x: 3 = 3 as 5;',
      'type A = 1 | 2; let x: 3 = 5 as 5;',
    ]);
    expect(await formsOf('flip-boolean', 'let a: true = f<boolean>(false);', 'lib/a.ts')).toEqual(['let a: true = f<boolean>(true);']);
    expect(await formsOf('flip-equality', 'const a = <b>{c === d}</b>;', 'lib/a.tsx')).toEqual(['const a = <b>{c !== d}</b>;']);
  });
});

const awkward =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text with a template in it
  '\uFEFF// 😀 a === b\r\nconst note = "a < b && 7 😀";\r\nconst wide = left < right && count === 7;\r\nconst tail = `a < ${left < right} 3`;';

test('with the rule for lines, every candidate changes one line by an edit of code, inside the lengths, and the line is unique before and after', async () => {
  const files = Object.fromEntries(
    ['create-mutation-generator.ts', 'parses-clean.ts', 'single-line-edit.ts'].map((name) => [
      name,
      readFileSync(join(import.meta.dirname, '../src/generator', name), 'utf8'),
    ]),
  );
  const candidates = await proposeAll({ files: { ...files, 'awkward.js': awkward }, operators: lineOperators, accepts: singleLineEdit() });
  expect(candidates.length).toBeGreaterThan(30);
  for (const { edits, lineage } of candidates) {
    const before = files[lineage.file] ?? awkward;
    const after = applyEdits(before, edits as SpanEdit[]);
    const [old, fresh] = [before.split('\n'), after.split('\n')];
    const changed = old.flatMap((line, index) => (line === fresh[index] ? [] : [index + 1]));
    expect([changed, fresh.length]).toEqual([[lineage.line], old.length]);
    for (const [text, lines] of [
      [before, old],
      [after, fresh],
    ] as const) {
      const line = lines[lineage.line - 1]?.trim() ?? '';
      expect(line.length >= 12 && line.length <= 90, line).toBe(true);
      expect(text.split(line)).toHaveLength(2);
    }
  }
});

test('strings, templates and comments keep their content; line ends, byte order mark and astral characters survive', async () => {
  const candidates = await proposeAll({ files: { 'awkward.js': awkward }, operators: lineOperators });
  const mutated = candidates.map(({ edits }) => applyEdits(awkward, edits as SpanEdit[]));
  expect(mutated.length).toBeGreaterThan(4);
  for (const text of mutated) {
    expect(text.startsWith('\uFEFF// 😀 a === b\r\nconst note = "a < b && 7 😀";\r\n')).toBe(true);
    expect(text).toMatch(/\r\nconst tail = `a < \$\{left \S+ right\} 3`;$/);
  }
});

test('the rule for lines passes over lines that occur twice, or whose mutant does', async () => {
  const operators = lineOperators.filter(({ name }) => name === 'flip-equality');
  const text =
    'const first = alpha === beta;\nconst first = alpha !== beta;\nconst other = alpha === beta;\nconst other = alpha === beta;\n';
  expect(await proposeAll({ files: { 'a.js': text }, operators, accepts: singleLineEdit() })).toEqual([]);
  expect(await proposeAll({ files: { 'a.js': text }, operators, accepts: singleLineEdit({ uniqueLines: false }) })).toHaveLength(4);
  expect(await proposeAll({ files: { 'a.js': text }, operators })).toHaveLength(4);
});

test('operators and files take turns, and another seed gives another order of the same candidates', async () => {
  const files = {
    'a.js': Array.from({ length: 20 }, (_, index) => `const a${index} = left${index} === right${index};\n`).join(''),
    'b.js': Array.from(
      { length: 20 },
      (_, index) => `const b${index} = left${index} && right${index};\nconst c${index} = left${index} !== 1${index};\n`,
    ).join(''),
  };
  const first = await proposeAll({ files, seed: 1, operators: lineOperators });
  const head = first.slice(0, 6).map(({ lineage }) => lineage);
  expect(new Set(head.map(({ operator }) => operator)).size).toBe(3);
  expect(new Set(head.map(({ file }) => file)).size).toBe(2);
  const second = await proposeAll({ files, seed: 2, operators: lineOperators });
  expect(second).not.toEqual(first);
  const sorted = (candidates: readonly Candidate[]) => candidates.map((candidate) => JSON.stringify(candidate)).sort();
  expect(sorted(second)).toEqual(sorted(first));
});

test('a file with an error of its own still gives candidates, none with a further error', async () => {
  const files = { 'a.js': 'const fine = alpha === beta;\nconst broken = ;\n' };
  const candidates = await proposeAll({ files, operators: lineOperators });
  expect(candidates.map(({ lineage }) => [lineage.operator, lineage.line])).toEqual([['flip-equality', 1]]);
});

test('files that are not UTF-8 or of another language are passed over; a file that is missing is an error', async () => {
  expect(await proposeAll({ files: { 'a.rb': 'value = first == second\n', 'a.d.ts': 'declare const a: 1 | 2;\n' } })).toEqual([]);
  const snapshot = sampleSnapshot({ directory: writeProject({}), sourceFiles: ['gone.js'] });
  const step = createMutationGenerator()
    .propose({ snapshot, random: () => 0 })
    [Symbol.asyncIterator]()
    .next();
  await expect(step).rejects.toMatchObject({ code: 'storage' });
});

test('refuses options of the wrong form', () => {
  expect(() => singleLineEdit({ lineLength: [90, 12] })).toThrowError(expect.objectContaining({ code: 'invalid-config' }));
  expect(() => createMutationGenerator({ accepts: true as never })).toThrowError(expect.objectContaining({ code: 'invalid-config' }));
  expect(() => createMutationGenerator({ operators: [] })).toThrowError(expect.objectContaining({ code: 'invalid-config' }));
});

describe('conformance', () => {
  const names = generatorConformance({ generator: createMutationGenerator(), snapshot: { sourceFiles: [] } as never }).map(
    ({ name }) => name,
  );
  test.each(names)('%s', async (name) => {
    const cases = generatorConformance({ generator: createMutationGenerator(), snapshot: sampleSnapshot() });
    await cases.find((item) => item.name === name)?.run();
  });

  test('finds a generator that forgets its randomness', async () => {
    const real = createMutationGenerator();
    let calls = 0;
    const cases = generatorConformance({
      generator: { name: real.name, propose: ({ random: _, ...options }) => real.propose({ ...options, random: seededRandom(calls++) }) },
      snapshot: sampleSnapshot(),
    });
    await expect(cases.find(({ name }) => name.includes('same randomness'))?.run()).rejects.toThrow();
  });
});
