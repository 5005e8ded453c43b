import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Snapshot, SpanEdit, TestRun } from '@tadpole/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import { createImpactMap, openRepository } from '../src/index.js';
import { readPythonReach } from '../src/snapshots/impact/python-reach.js';
import { inlineMapPlaces } from '../src/snapshots/impact/source-map-lines.js';
import { readV8Reach } from '../src/snapshots/impact/v8-reach.js';
import { createRuntime, fixture, limits } from './runtime-fixture.js';

const runtime = createRuntime();
afterAll(() => runtime.close());
const nodeModules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const debian = fileURLToPath(new URL('./fixtures/debian/python3-multipledispatch', import.meta.url));
const { provider, dependencyStore, executor } = runtime;

async function open(directory: string) {
  const into = join(runtime.folder, 'impact', directory.split('/').at(-1) as string);
  const { snapshot } = await openRepository({ directory, nodeModules, into, executor, runs: 1 });
  return { snapshot, map: await createImpactMap({ snapshot, provider, dependencyStore, limits, timeoutMs: 30_000 }) };
}

const opposites: Readonly<Record<string, string>> = {
  '===': '!==',
  '==': '!=',
  '<': '>=',
  '>': '<=',
  '+': '-',
  '-': '+',
  and: 'or',
  not: '',
};

/** Every n-th comparison, sum or conjunction of the sources, turned into its opposite. */
function mutants(snapshot: Snapshot, wanted: number): readonly { edit: SpanEdit; line: number }[] {
  // This file sorts classes by their hashes, which are addresses: what a mutant of it breaks depends on what else is loaded.
  const files = snapshot.sourceFiles.filter((file) => file !== 'multipledispatch/conflict.py');
  const all = files.flatMap((file) => {
    const text = readFileSync(join(snapshot.directory, file), 'utf8');
    return [...text.matchAll(/ (===|==|<|>|\+|-|and|not) /g)].map((match) => {
      const start = match.index + 1;
      const token = match[1] as string;
      const edit = { file, start, end: start + token.length, text: opposites[token] as string };
      return { edit, line: text.slice(0, start).split('\n').length };
    });
  });
  const step = Math.floor(all.length / wanted);
  return Array.from({ length: wanted }, (_, index) => all[index * step] as { edit: SpanEdit; line: number });
}

function failures(run: TestRun): readonly string[] | string {
  return run.status === 'completed'
    ? run.tests
        .filter(({ status }) => status === 'failed')
        .map(({ id }) => id)
        .sort()
    : run.status;
}

describe.each([
  ['hash.js, by the coverage of V8', join(nodeModules, 'hash.js')],
  ['multipledispatch, by a trace function', debian],
])('the impact map of %s', (_, directory) => {
  it('gives the same failing tests as the whole suite, mutant by mutant, and leaves some files out', async () => {
    const { snapshot, map } = await open(directory);
    expect(map.unknown).toEqual([]);
    const stable = new Set(snapshot.baseline.map(({ id }) => id));
    const chosen: number[] = [];
    for (const { edit, line } of mutants(snapshot, 8)) {
      const testFiles = map.testFilesFor({ file: edit.file, startLine: line, endLine: line }) ?? snapshot.testFiles;
      chosen.push(testFiles.length);
      const whole = failures(await executor.execute({ snapshot, edits: [edit], timeoutMs: 20_000 }));
      const part =
        testFiles.length === 0 ? [] : failures(await executor.execute({ snapshot, edits: [edit], testFiles, timeoutMs: 20_000 }));
      const ofBaseline = (ids: readonly string[] | string) => (typeof ids === 'string' ? ids : ids.filter((id) => stable.has(id)));
      expect(ofBaseline(part), `${edit.file}:${line}`).toEqual(ofBaseline(whole));
    }
    expect(Math.min(...chosen)).toBeLessThan(snapshot.testFiles.length);
  }, 120_000);
});

describe('the impact map', () => {
  it('leads from the code that vitest runs back to the lines of the file, and knows nothing of other files', async () => {
    const directory = join(runtime.folder, 'vitest-lines');
    cpSync(fixture('vitest'), directory, { recursive: true });
    const typed = ['interface Text {', '  readonly text: string;', '}', '', 'export function words({ text }: Text): string[] {'];
    const functions = ["  return text.split(' ').filter((word) => word.length > 0);", '}', '', 'export function lines({ text }: Text) {'];
    writeFileSync(join(directory, 'lib/split.ts'), [...typed, ...functions, '  return text;', '}', ''].join('\n'));
    const caller = "import { words } from './split';\nexport default (text) => words({ text });\n";
    writeFileSync(join(directory, 'lib/words.js'), caller);
    const { snapshot, map } = await open(directory);
    expect(map.unknown).toEqual([]);
    const reaching = (line: number) => map.testFilesFor({ file: 'lib/split.ts', startLine: line, endLine: line });
    expect(reaching(6)).toEqual(['test/words.js']);
    expect(reaching(10)).toEqual([]);
    expect(map.testFilesFor({ file: 'lib/words.js', startLine: 1, endLine: 1 })).toEqual(snapshot.testFiles);
    expect(map.testFilesFor({ file: 'package.json', startLine: 1, endLine: 1 })).toBeUndefined();
  });

  it('takes what runs while a module loads as reached by all, and a function that nobody calls as reached by none', async () => {
    const { snapshot, map } = await open(debian);
    const file = 'multipledispatch/dispatcher.py';
    const lines = readFileSync(join(snapshot.directory, file), 'utf8').split('\n');
    const after = (text: string, offset: number) => {
      const line = lines.indexOf(text) + 1 + offset;
      return { file, startLine: line, endLine: line };
    };
    expect(map.testFilesFor(after('class Dispatcher(object):', 0))).toEqual(snapshot.testFiles);
    expect(map.testFilesFor(after('    def resolve(self, types):', 6))).toEqual(['multipledispatch/tests/test_dispatcher.py']);
    expect(map.testFilesFor(after('def halt_ordering():', 3))).toEqual([]);
  });
});

describe('the records of a run', () => {
  const text = 'const a = 1;\nfunction f() {\n  return 2;\n}\nfunction g() {\n  return 3;\n}\n';
  const range = (from: string, to: string, times: number) => ({
    startOffset: text.indexOf(from),
    endOffset: text.indexOf(to) + to.length,
    count: times,
  });
  const coverage = (url: string) =>
    JSON.stringify({
      result: [
        {
          url,
          functions: [
            { ranges: [{ startOffset: 0, endOffset: text.length, count: 1 }] },
            { ranges: [range('function f', '2;\n}', 4)] },
            { ranges: [range('function g', '3;\n}', 0)] },
          ],
        },
      ],
    });

  it('tell the innermost block of V8 by line, apart from the code outside functions', () => {
    const reach = readV8Reach({ text: coverage('file:///workspace/lib/a%20b.js'), workspace: '/workspace', textOf: () => text });
    expect(reach).toEqual(new Map([['lib/a b.js', { imported: new Set([1]), executed: new Set([2, 3, 4]) }]]));
    expect(readV8Reach({ text: coverage('file:///etc/x.js'), workspace: '/workspace', textOf: () => text })?.size).toBe(0);
  });

  // Lines 1 and 2 of the generated code came from lines 1 and 3 of the file, the third from line 2.
  const mapped = (code: string, map: object = { mappings: 'AAAA;AAEA,IAAI;AADJ' }) =>
    `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}\n`;

  it('are read through a source map at the end of the code', () => {
    expect(inlineMapPlaces(mapped('a\nb'))).toEqual([
      { generatedLine: 0, generatedColumn: 0, line: 1 },
      { generatedLine: 1, generatedColumn: 0, line: 3 },
      { generatedLine: 1, generatedColumn: 4, line: 3 },
      { generatedLine: 2, generatedColumn: 0, line: 2 },
    ]);
    expect(inlineMapPlaces(mapped('', { mappings: '' }))).toEqual([]);
    expect(inlineMapPlaces('a\nb')).toBeUndefined();
    expect(inlineMapPlaces(mapped('a', { mappings: '!' }))).toBeUndefined();
  });

  it('tell the lines of a module that vitest wrapped, and nothing where the wrapper is another', () => {
    const head = "'use strict';async (a,b)=>{{";
    const script = `${mapped(`${head}a;\nf = () => 2;\nb;`)}}}`;
    const start = script.indexOf('() => 2');
    const functions = [
      { ranges: [{ startOffset: 0, endOffset: script.length, count: 1 }] },
      { ranges: [{ startOffset: 13, endOffset: script.length, count: 1 }] },
      { ranges: [{ startOffset: start, endOffset: start + '() => 2'.length, count: 3 }] },
    ];
    const url = 'file:///workspace/lib/a.ts';
    const read = (code: string) =>
      readV8Reach({
        text: JSON.stringify({ result: [{ url, functions }] }),
        workspace: '/workspace',
        textOf: () => 'a',
        scriptOf: () => code,
      });
    expect(read(script)?.get('lib/a.ts')).toEqual({ imported: new Set([1, 3, 2]), executed: new Set([3]), lines: [1, 2, 3] });
    expect(read(script.replace('async', 'sync'))).toBeUndefined();
  });

  it('say nothing where they are no record, or the trace function was replaced', () => {
    expect(readV8Reach({ text: '{"result": 1}', workspace: '/workspace', textOf: () => text })).toBeUndefined();
    expect(readPythonReach('{"complete": false, "files": {}}')).toBeUndefined();
    expect(readPythonReach('{')).toBeUndefined();
    const file = { imported: [1], executed: [2], lines: [1, 2] };
    expect(readPythonReach(JSON.stringify({ complete: true, files: { a: file } }))?.get('a')?.executed).toEqual(new Set([2]));
  });
});
