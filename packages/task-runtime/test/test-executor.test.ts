import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Snapshot, SpanEdit, TreeEdit } from '@tadpole/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuntime, fixture } from './runtime-fixture.js';

const runtime = createRuntime();
afterAll(() => runtime.close());

function replace(snapshot: Snapshot, file: string, from: string, to: string): SpanEdit {
  const start = readFileSync(join(snapshot.directory, file), 'utf8').indexOf(from);
  if (start < 0) throw new Error(`${from} is not in ${file}`);
  return { file, start, end: start + from.length, text: to };
}

const prefixes = { tape: '', mocha: 'clamp > ', 'node-test': '', vitest: '', jest: '' };

describe.each(['tape', 'mocha', 'node-test', 'vitest', 'jest'] as const)('a snapshot tested by %s', (runner) => {
  let snapshot: Awaited<ReturnType<typeof runtime.open>>;
  const clampTest = `test/clamp.js::${prefixes[runner]}`;
  const wordsTest = runner === 'tape' ? 'test/words.js::splits at blanks' : 'test/words.js::words > splits at blanks';

  beforeAll(async () => {
    snapshot = await runtime.open(runner);
  });

  it('keeps the tests that pass in every run and sets the others aside', () => {
    const ids = [
      `${clampTest}keeps a value inside the range`,
      `${clampTest}bounds > raises a low value`,
      `${clampTest}bounds > lowers a high value`,
    ];
    const groups = runner === 'tape' || runner === 'node-test' ? [`${clampTest}bounds`] : [];
    expect(snapshot.baseline.map(({ id }) => id)).toEqual([...ids, ...groups, wordsTest, `${wordsTest} #2`]);
    expect(snapshot.setAside.map(({ status }) => status)).toEqual(['skipped']);
    expect(snapshot).toMatchObject({ source: `tadpole-fixture-${runner}@1.0.0`, licence: 'MIT' });
  });

  it('leaves built copies out', () => {
    expect(existsSync(join(snapshot.directory, 'dist'))).toBe(false);
  });

  it('tells what a failing assertion expected and saw, and nothing of the tests that pass', async () => {
    const edit = replace(snapshot, 'lib/clamp.js', 'return low;', 'return high;');
    const run = await runtime.executor.execute({ snapshot, edits: [edit], timeoutMs: 20_000 });
    if (run.status !== 'completed') throw new Error(run.output);
    const failed = run.tests.filter(({ status, name }) => status === 'failed' && name.endsWith('raises a low value'));
    expect(failed).toMatchObject([{ id: `${clampTest}bounds > raises a low value`, kind: 'assertion', expected: '0', observed: '10' }]);
    expect(run.tests.find(({ id }) => id === wordsTest)?.status).toBe('passed');
  });

  it('runs a tree with a file that was written whole, and one with a file that was taken away', async () => {
    const content = readFileSync(join(snapshot.directory, 'lib/words.js'), 'utf8').replace("split(' ')", "split(',')");
    const statusWith = async (edit: TreeEdit) => {
      const run = await runtime.executor.execute({ snapshot, edits: [edit, { file: 'made/now.txt', content: '' }], timeoutMs: 20_000 });
      if (run.status !== 'completed') throw new Error(run.output);
      return run.tests.find(({ id }) => id === wordsTest)?.status;
    };
    expect(await statusWith({ file: 'lib/words.js', content })).toBe('failed');
    expect(await statusWith({ file: 'lib/words.js', content: null })).toBe(undefined);
    expect(existsSync(join(snapshot.directory, 'lib/words.js'))).toBe(true);
  });

  it('reports a throw as an error and goes on with the other tests', async () => {
    const edit = replace(snapshot, 'lib/clamp.js', 'if (value < low)', 'null.field; if (value < low)');
    const run = await runtime.executor.execute({ snapshot, edits: [edit], timeoutMs: 20_000 });
    if (run.status !== 'completed') throw new Error(run.output);
    expect(run.tests[0]).toMatchObject({ status: 'failed', kind: 'error', message: expect.stringContaining('TypeError') });
    expect(run.tests.filter(({ file }) => file === 'test/words.js').map(({ status }) => status)).toEqual(['passed', 'passed']);
  });

  it('reports a file that cannot be loaded and runs the others', async () => {
    const run = await runtime.executor.execute({
      snapshot,
      edits: [{ file: 'lib/words.js', start: 0, end: 0, text: '((' }],
      timeoutMs: 20_000,
    });
    if (run.status !== 'completed') throw new Error(run.output);
    expect(run.tests.find(({ id }) => id === 'test/words.js::(load)')).toMatchObject({ status: 'failed', kind: 'error' });
    expect(run.tests.find(({ id }) => id === `${clampTest}keeps a value inside the range`)?.status).toBe('passed');
    expect(run.tests.some(({ id }) => id === wordsTest)).toBe(false);
  });

  it('calls a run without a finished report crashed, whatever it printed', async () => {
    const forged = 'console.log("ok 1"); process.exit(0);';
    const run = await runtime.executor.execute({
      snapshot,
      edits: [replace(snapshot, 'lib/words.js', 'return', `${forged} return`)],
      timeoutMs: 20_000,
    });
    // Vitest turns the exit of a test into an error of that test.
    if (runner !== 'vitest') expect(run.status).toBe('crashed');
    expect(run.status === 'completed' && run.tests.some(({ id, status }) => id === wordsTest && status === 'passed')).toBe(false);
  });

  it('calls a run that no file survived crashed', async () => {
    const edits = ['lib/words.js', 'lib/clamp.js'].map((file) => ({ file, start: 0, end: 0, text: '((' }));
    const run = await runtime.executor.execute({ snapshot, edits, timeoutMs: 20_000 });
    expect(run).toMatchObject({ status: 'crashed', output: expect.stringContaining('could not be loaded') });
  });

  it('gives the code under test the same random numbers in every run', async () => {
    const edits = [replace(snapshot, 'lib/words.js', 'return', 'throw new Error("drew " + Math.random()); return')];
    const runs = [await runtime.executor.execute({ snapshot, edits, timeoutMs: 20_000 })];
    runs.push(await runtime.executor.execute({ snapshot, edits, timeoutMs: 20_000 }));
    const drawn = runs.map((run) =>
      run.status === 'completed' ? run.tests.flatMap(({ message }) => message?.match(/drew [\d.]+/) ?? []) : [],
    );
    expect(drawn[0]?.length).toBeGreaterThan(0);
    expect(drawn[1]).toEqual(drawn[0]);
  });

  it('ends a run at its time', async () => {
    const edit = replace(snapshot, 'lib/words.js', 'return', 'for (;;); return');
    expect((await runtime.executor.execute({ snapshot, edits: [edit], timeoutMs: 1500 })).status).toBe('timed-out');
  });

  it('gives ids back as they are: brackets, unicode, trailing blanks, any length', async () => {
    const name = `[a] ünïcode 🐸 ${'x'.repeat(3000)} `;
    const run = await runtime.executor.execute({
      ...{
        snapshot,
        edits: [replace(snapshot, 'test/words.js', 'splits at blanks', name)],
        testFiles: ['test/words.js'],
        timeoutMs: 20_000,
      },
    });
    if (run.status !== 'completed') throw new Error(run.output);
    expect(run.tests[0]).toMatchObject({ id: wordsTest.replace('splits at blanks', name), status: 'passed' });
  });

  it('runs only the files asked for', async () => {
    const run = await runtime.executor.execute({ snapshot, edits: [], testFiles: ['test/words.js'], timeoutMs: 20_000 });
    expect(run.status === 'completed' && run.tests.map(({ id }) => id)).toEqual([wordsTest, `${wordsTest} #2`]);
  });
});

it('keeps loaded modules from one test file of vitest to the next', async () => {
  const snapshot = await runtime.open('vitest', { into: join(runtime.folder, 'vitest-shared') });
  const counting = (name: string) =>
    `import { expect, it } from 'vitest';\nimport count from '../lib/words.js';\nit('${name}', () => expect(++count.tests).toBe(0));\n`;
  const edits = [
    { file: 'lib/words.js', content: 'export default { tests: 0 };\n' },
    { file: 'test/clamp.js', content: counting('one') },
    { file: 'test/words.js', content: counting('other') },
  ];
  const run = await runtime.executor.execute({ snapshot, edits, timeoutMs: 20_000 });
  expect(run.status === 'completed' && run.tests.map(({ observed }) => observed).sort()).toEqual(['1', '2']);
});

it('compares the inline snapshots of vitest, in TypeScript too, and writes none', async () => {
  const snapshot = await runtime.open('vitest', { into: join(runtime.folder, 'vitest-inline') });
  const content = [
    "import { expect, it, vi } from 'vitest';",
    "vi.mock('../lib/clamp.js', () => ({ default: () => 7 }));",
    "import clamp from '../lib/clamp.js';",
    'type Value = { value: number };',
    "it('same', () => { const got: Value = { value: clamp() }; expect(got).toMatchInlineSnapshot('{\\n  \"value\": 7,\\n}'); });",
    "it('other', () => expect(clamp()).toMatchInlineSnapshot('8'));",
    "it('new', () => expect(clamp()).toMatchInlineSnapshot());",
  ].join('\n');
  const edits = [{ file: 'test/inline.ts', content }];
  const run = await runtime.executor.execute({ snapshot, edits, testFiles: ['test/inline.ts'], timeoutMs: 20_000 });
  const results = run.status === 'completed' ? run.tests : [];
  expect(results.map(({ name, status, observed }) => [name, status, observed])).toEqual([
    ['same', 'passed', undefined],
    ['other', 'failed', '7'],
    ['new', 'failed', '7'],
  ]);
});

describe('opening a snapshot', () => {
  it('refuses a package whose suite fails untouched and shows its output', async () => {
    const broken = runtime.open('tape', {
      into: join(runtime.folder, 'broken'),
      dropPaths: ['lib/words.js', 'lib/clamp.js'],
      sourceFiles: ['package.json'],
    });
    await expect(broken).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('Cannot find module') });
  });

  it('refuses a package of which one test fails untouched every time, whatever else passes, and names the test', async () => {
    const broken = runtime.open('tape', { into: join(runtime.folder, 'half'), dropPaths: ['lib/words.js'], sourceFiles: ['lib/clamp.js'] });
    const message = /1 of its tests fail in all of \d untouched runs \(test\/words\.js::\(load\)\)\. Its output:/;
    await expect(broken).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringMatching(message) });
  });

  it('refuses to copy a package over itself, into itself or over a folder that holds it', async () => {
    const packageDirectory = join(runtime.folder, 'apart', 'package');
    cpSync(fixture('tape'), packageDirectory, { recursive: true });
    for (const place of ['', 'copy', '..']) {
      const opened = runtime.open('tape', { packageDirectory, into: join(packageDirectory, place) });
      await expect(opened).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('apart from the package') });
    }
    expect(existsSync(join(packageDirectory, 'package.json'))).toBe(true);
  });

  it('refuses a package without tests', async () => {
    await expect(runtime.open('tape', { testFiles: [] })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(runtime.open('tape', { testFiles: ['test/absent.js'] })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('refuses dependencies that bring in the package itself', async () => {
    const own = runtime.executor.execute({
      snapshot: {
        ...(await runtime.open('node-test', { into: join(runtime.folder, 'own') })),
        source: 'tape@5.9.0',
        dependencies: [{ name: 'tape', version: '5.9.0' }],
      },
      edits: [],
      timeoutMs: 1000,
    });
    await expect(own).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('tape') });
  });
});
