import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestExecutor, TestResult } from '@tadpole/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import { openRepository } from '../src/index.js';
import { copyRepository } from '../src/snapshots/copy-repository.js';
import { wilsonInterval } from '../src/snapshots/wilson-interval.js';
import { createRuntime } from './runtime-fixture.js';

const runtime = createRuntime();
afterAll(() => runtime.close());
const nodeModules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
let count = 0;

function layout(files: Readonly<Record<string, string>>): string {
  count += 1;
  const directory = join(runtime.folder, 'repositories', `r${count}`);
  for (const [path, text] of Object.entries({ 'package.json': '{"name":"sums","version":"1.0.0","license":"MIT"}', ...files })) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

function open(directory: string, options: Partial<Parameters<typeof openRepository>[0]> = {}) {
  const into = join(runtime.folder, 'snapshots', directory.split('/').at(-1) as string);
  return openRepository({ directory, nodeModules, into, executor: runtime.executor, runs: 1, ...options });
}

/** Thirty tests of node:test, and one more. */
const thirty = (more: string, name: string) =>
  `const { test } = require('node:test'); const assert = require('node:assert'); const add = require('../lib/add');
   for (let i = 0; i < 30; i++) test('${name} ' + i, () => assert.equal(add(i, 1), i + 1));
   ${more}`;
const source = { 'lib/add.js': 'module.exports = (a, b) => [a, b].reduce((x, y) => x + y);' };

describe('a bare folder', () => {
  it('of npm becomes a snapshot in one call', async () => {
    const { snapshot, repository } = await open(join(nodeModules, 'bit-twiddle'));
    expect(snapshot).toMatchObject({ source: 'bit-twiddle@1.0.2', licence: 'MIT', runner: 'tape', sourceFiles: ['twiddle.js'] });
    expect(snapshot.testFiles).toEqual(['test/interleave2.js', 'test/interleave3.js', 'test/test.js']);
    expect(snapshot.baseline.length).toBeGreaterThan(10);
    expect(snapshot.setAside).toEqual([]);
    expect(repository.notes).toContain('runner: 3 test files of tape');
  });

  it('of an unpacked Debian package becomes a snapshot too, without the test file that needs a plugin and the test that always fails', async () => {
    const directory = fileURLToPath(new URL('./fixtures/debian/python3-multipledispatch', import.meta.url));
    const { snapshot, repository } = await open(directory, { runs: 2 });
    expect(snapshot).toMatchObject({ source: 'multipledispatch@0.6.0', licence: 'BSD-3-Clause', runner: 'pytest' });
    expect(repository.notes).toContain('multipledispatch/tests/test_benchmark.py is not run: it needs benchmark, which is not installed');
    expect(snapshot.baseline).toHaveLength(56);
    expect(snapshot.setAside).toMatchObject([
      { id: 'multipledispatch/tests/test_core.py::test_multipledispatch', reason: 'always-fails', failures: 2, runs: 2 },
    ]);
    expect(existsSync(join(snapshot.directory, 'multipledispatch/dispatcher.py'))).toBe(true);
  });

  it('whose vitest tests need its configuration runs with it', async () => {
    const test = "import { add } from '~/add';\nit('adds', () => { expect(add(1, 2)).toBe(3); });\n";
    const config =
      "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { globals: true, alias: { '~': '/workspace/src' } } });\n";
    const manifest = '{"name":"sums","version":"1.0.0","license":"MIT","type":"module","scripts":{"test":"vitest"}}';
    const files = {
      'package.json': manifest,
      'src/add.ts': 'export const add = (a: number, b: number) => a + b;',
      'test/add.test.ts': test,
    };
    const { snapshot } = await open(layout({ ...files, 'vitest.config.ts': config }));
    expect(snapshot).toMatchObject({ configFile: 'vitest.config.ts', runner: 'vitest', baseline: [{ name: 'adds' }] });
    expect(snapshot.sourceFiles).toEqual(['src/add.ts']);
  });

  it('whose tests all need what is not installed is refused with the names', async () => {
    const directory = layout({ ...source, 'test/a.js': `require('tape'); require('never-installed');\n${thirty('', 'a')}` });
    await expect(open(directory)).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('never-installed') });
  });

  it('without a licence is refused, unless the caller states it', async () => {
    const directory = layout({ ...source, 'package.json': '{"name":"sums","version":"1.0.0"}', 'test/a.js': thirty('', 'a') });
    await expect(open(directory)).rejects.toMatchObject({ message: expect.stringContaining('no licence was found') });
    expect((await open(directory, { overrides: { licence: 'ISC' } })).snapshot.licence).toBe('ISC');
  });
});

describe('the untouched suite', () => {
  it('is measured without a file that spoils the process it shares, whose tests are set aside', async () => {
    const spoil = `const { test } = require('node:test'); require('../lib/add'); Array.prototype.reduce = () => 0; test('spoils', () => {});`;
    const { snapshot } = await open(layout({ ...source, 'test/a.js': thirty('', 'a'), 'test/b.js': thirty('', 'b'), 'test/c.js': spoil }));
    expect(snapshot.testFiles).toEqual(['test/a.js', 'test/b.js']);
    expect(snapshot.baseline).toHaveLength(60);
    expect(snapshot.setAside).toMatchObject([{ id: 'test/c.js::spoils', reason: 'file' }]);
  });

  it('is refused when more than 5 % of its tests pass in one order of the files alone', async () => {
    const first = `const { test } = require('node:test'); require('../lib/add'); test('prepares', () => { globalThis.prepared = true; });`;
    const needs = (index: number) => `test('needs ${index}', () => assert.ok(globalThis.prepared));`;
    const directory = layout({ ...source, 'test/a.js': first, 'test/b.js': thirty([0, 1, 2].map(needs).join('\n'), 'b') });
    await expect(open(directory)).rejects.toMatchObject({
      message: expect.stringContaining('3 of its tests pass only in one order of its files'),
    });
  });

  it('loses single tests that pass in one order alone', async () => {
    const first = `const { test } = require('node:test'); require('../lib/add'); test('prepares', () => { globalThis.prepared = true; });`;
    const needs = "test('needs', () => assert.ok(globalThis.prepared));";
    const { snapshot } = await open(layout({ ...source, 'test/a.js': first, 'test/b.js': thirty(needs, 'b') }));
    expect(snapshot.setAside).toMatchObject([{ id: 'test/b.js::needs', reason: 'order', failures: 1, runs: 2 }]);
    expect(snapshot.baseline).toHaveLength(31);
  });

  it('runs with a fixed time zone, language and hash seed', async () => {
    const fixed = `test('fixed', () => { const { TZ, LC_ALL, PYTHONHASHSEED } = process.env;
      assert.deepEqual([TZ, LC_ALL, PYTHONHASHSEED, new Date(0).getHours()], ['UTC', 'C.UTF-8', '0', 0]); });`;
    const { snapshot } = await open(layout({ ...source, 'test/a.js': thirty(fixed, 'a') }));
    expect(snapshot.baseline.map(({ name }) => name)).toContain('fixed');
  });

  it('sets a flaky test aside with the interval of its rate', async () => {
    const results = (status: TestResult['status']): TestResult[] =>
      ['steady', 'flaky'].map((name) => ({
        id: `test/a.js::${name}`,
        file: 'test/a.js',
        name,
        status: name === 'flaky' ? status : 'passed',
      }));
    const runs = [results('passed'), results('failed'), results('passed')];
    const executor: TestExecutor = {
      async execute() {
        const tests = runs.shift();
        if (tests === undefined) throw new Error('expected three runs');
        return { status: 'completed', tests, output: '', durationMs: 1 };
      },
    };
    const { snapshot } = await open(layout({ ...source, 'test/a.js': thirty('', 'a') }), { executor, runs: 3 });
    expect(snapshot.baseline.map(({ name }) => name)).toEqual(['steady']);
    const [low, high] = snapshot.setAside[0]?.failureInterval ?? [];
    expect(snapshot.setAside).toMatchObject([{ name: 'flaky', reason: 'flaky', failures: 1, runs: 3, status: 'failed' }]);
    expect(low).toBeCloseTo(0.0615, 4);
    expect(high).toBeCloseTo(0.7923, 4);
  });

  it('bounds the rate of what never failed', () => {
    expect(wilsonInterval({ successes: 0, trials: 3 })[0]).toBeCloseTo(0, 12);
    expect(wilsonInterval({ successes: 0, trials: 3 })[1]).toBeCloseTo(0.5615, 4);
  });
});

describe('the copy of a repository', () => {
  it('keeps links that stay inside, and leaves out those that lead out, names that are no UTF-8, and what was installed or built', async () => {
    const from = layout({ ...source, 'dist/a.js': '', 'node_modules/x/index.js': '', '.git/config': '', '__pycache__/a.pyc': '' });
    symlinkSync('lib/add.js', join(from, 'inside.js'));
    symlinkSync('../../../../../../etc/passwd', join(from, 'outside'));
    symlinkSync('/etc/passwd', join(from, 'absolute'));
    writeFileSync(Buffer.concat([Buffer.from(`${from}/`), Buffer.from([0xff])]), '');
    const to = join(runtime.folder, 'copy');
    await copyRepository({ from, to, dropPaths: ['dist/'] });
    expect(lstatSync(join(to, 'inside.js')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(to, 'inside.js'), 'utf8')).toBe(source['lib/add.js']);
    const left = ['outside', 'absolute', 'dist', 'node_modules', '.git', '__pycache__', '\ufffd'];
    expect(left.filter((name) => lstatSync(join(to, name), { throwIfNoEntry: false }) !== undefined)).toEqual([]);
  });

  it('is refused when it is too large', async () => {
    const from = layout(source);
    writeFileSync(join(from, 'huge.bin'), '');
    truncateSync(join(from, 'huge.bin'), 3_000_000_000);
    const to = join(runtime.folder, 'huge');
    await expect(copyRepository({ from, to, dropPaths: [] })).rejects.toMatchObject({ message: expect.stringContaining('huge.bin') });
    expect([existsSync(to), existsSync(`${to}.draft`)]).toEqual([false, false]);
  });
});
