import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, TreeEdit } from '@tadpole/contracts';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readTestReport, withIds } from '../src/grading/read-test-report.js';
import { applySpanEdits, createDependencyStore, createOutcomeCache, hashTree } from '../src/index.js';
import { captureOutput } from '../src/sandbox/captured-output.js';
import { globAlternatives } from '../src/sandbox/glob-pattern.js';
import { editedFiles } from '../src/snapshots/edited-files.js';

const folder = mkdtempSync(join(tmpdir(), 'tadpole-plain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('captured output', () => {
  it('keeps exactly the first and last bytes, however they are cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }),
        fc.nat(30),
        fc.integer({ min: 1, max: 30 }),
        (chunks, headBytes, tailBytes) => {
          const capture = captureOutput({ headBytes, tailBytes });
          for (const chunk of chunks) capture.push(Buffer.from(chunk));
          const all = Buffer.concat(chunks);
          const { head, tail, droppedBytes } = capture.end();
          expect(head).toEqual(all.subarray(0, headBytes));
          const rest = all.subarray(head.length);
          expect(tail).toEqual(rest.subarray(Math.max(0, rest.length - tailBytes)));
          expect(head.length + tail.length + droppedBytes).toBe(all.length);
        },
      ),
    );
  });
});

describe('glob patterns', () => {
  it('expand their braces, and keep brackets, backslashes and braces without a comma', () => {
    expect(globAlternatives('src/{a,b{1,2}}/[x].{js,ts}')).toHaveLength(6);
    expect(globAlternatives('{a,b}/[x]')).toEqual(['a/[x]', 'b/[x]']);
    expect(globAlternatives('{a}\\*')).toEqual(['{a}\\*']);
  });

  it('refuses a pattern that explodes', () => {
    expect(() => globAlternatives('{a,b}'.repeat(20))).toThrow(/256/);
  });
});

describe('span edits', () => {
  it('change what they name and nothing else, in any order', () => {
    expect(
      applySpanEdits('0123456789', [
        { start: 8, end: 10, text: '!' },
        { start: 0, end: 1, text: 'ab' },
        { start: 4, end: 4, text: '-' },
      ]),
    ).toBe('ab123-4567!');
  });

  it('refuse to overlap or to leave the text', () => {
    expect(() =>
      applySpanEdits('0123', [
        { start: 0, end: 3, text: '' },
        { start: 2, end: 4, text: '' },
      ]),
    ).toThrow(/overlap/);
    expect(() => applySpanEdits('0123', [{ start: 3, end: 5, text: '' }])).toThrow(/inside/);
  });

  it('stand beside edits that write a whole file or remove it, of other files', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tadpole-edits-'));
    writeFileSync(join(directory, 'a.js'), 'one two');
    const edited = (edits: readonly TreeEdit[]) => editedFiles({ directory, edits });
    const span = { file: 'a.js', start: 0, end: 3, text: '1' };
    const [made, gone] = [
      { file: 'new/b.js', content: 'b' },
      { file: 'c.js', content: null },
    ];
    expect(await edited([span, made, gone, { file: 'a.js', start: 4, end: 7, text: '2' }])).toEqual([
      { path: 'a.js', text: '1 2' },
      { path: 'new/b.js', text: 'b' },
      { path: 'c.js', text: null },
    ]);
    for (const edits of [
      [span, { file: 'a.js', content: '' }],
      [{ ...span, file: 'b.js' }],
      [{ ...made, file: '../b.js' }],
      [{ ...made, file: '/b.js' }],
    ])
      await expect(edited(edits)).rejects.toMatchObject({ code: 'invalid-input' });
    rmSync(directory, { recursive: true });
  });
});

describe('a test report', () => {
  const body = JSON.stringify({ finished: true, results: [{ file: 'a.js', name: 'x', status: 'passed' }] });
  const mac = (key: string) => createHmac('sha256', key).update(body).digest('hex');

  it('is read with its key alone', () => {
    const text = `${mac('key')}\n${body}`;
    expect(readTestReport({ text, key: 'key' })).toEqual([{ id: 'a.js::x', file: 'a.js', name: 'x', status: 'passed' }]);
    expect(readTestReport({ text, key: 'other' })).toBeNull();
    for (const other of ['', 'x', '\n', body, `\n${body}`]) expect(readTestReport({ text: other, key: 'key' })).toBeNull();
  });

  it('numbers tests of one name without ever giving an id twice', () => {
    const names = ['x', 'x', 'x #2', 'x'].map((name) => ({ file: 'a', name, status: 'passed' as const }));
    expect(withIds(names).map(({ id }) => id)).toEqual(['a::x', 'a::x #2', 'a::x #2 #2', 'a::x #3']);
  });
});

describe('the dependency store', () => {
  const root = join(folder, 'node_modules');
  const install = (place: string, version: string, dependencies: Record<string, string> = {}) => {
    mkdirSync(join(root, place), { recursive: true });
    writeFileSync(join(root, place, 'package.json'), JSON.stringify({ name: place.split('node_modules/').pop(), version, dependencies }));
    writeFileSync(join(root, place, 'index.js'), `module.exports = '${version}';`);
  };
  install('runner', '1.0.0', { shared: '^2.0.0', '@scope/part': '*' });
  install('runner/node_modules/shared', '2.0.0');
  install('shared', '1.0.0');
  install('@scope/part', '3.0.0', { shared: '^1.0.0' });
  install('unrelated', '1.0.0');
  const store = createDependencyStore({ nodeModules: root, into: join(folder, 'closures') });
  const runner = [{ name: 'runner', version: '1.0.0' }];

  it('takes the closure, each package with the version that it resolves, and nothing else', async () => {
    const directory = await store.directoryFor(runner);
    const { createRequire } = await import('node:module');
    const from = (place: string) => createRequire(join(directory, place, 'index.js'));
    // The folder is mounted as node_modules; here each package is found by its own relative place.
    expect(from('runner')(join(directory, 'runner/node_modules/shared'))).toBe('2.0.0');
    expect(from('runner')(join(directory, 'shared'))).toBe('1.0.0');
    expect(() => from('runner')(join(directory, 'unrelated'))).toThrow();
    expect(await store.directoryFor(runner)).toBe(directory);
  });

  it('refuses the excluded package, and leaves it out of what depends on it, also deep inside', async () => {
    await expect(store.directoryFor(runner, { exclude: 'runner' })).rejects.toMatchObject({ code: 'invalid-input' });
    const without = await store.directoryFor(runner, { exclude: 'shared' });
    expect(readdirSync(without, { recursive: true }).filter((path) => String(path).includes('shared'))).toEqual([]);
    expect(existsSync(join(without, 'runner', 'index.js'))).toBe(true);
    expect(without).not.toBe(await store.directoryFor(runner));
    expect(await store.directoryFor(runner, { exclude: 'part' })).toBe(await store.directoryFor(runner));
  });

  it('refuses a version that is not installed', async () => {
    await expect(store.directoryFor([{ name: 'runner', version: '1.0.1' }])).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('the outcome cache', () => {
  const scored: Outcome = { status: 'scored', reward: 1, components: {}, tests: [] };
  const unscored: Outcome = { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: '' };

  it('keeps scored outcomes and asks again after unscored ones', async () => {
    const cache = createOutcomeCache();
    const answers = [unscored, scored];
    const grade = async () => answers.shift() as Outcome;
    expect(await cache.outcome({ key: 'k', grade })).toBe(unscored);
    expect(await cache.outcome({ key: 'k', grade })).toBe(scored);
    expect(await cache.outcome({ key: 'k', grade })).toBe(scored);
    expect(answers).toEqual([]);
  });

  it('does not pass one caller the abort of another', async () => {
    const { TadpoleError } = await import('@tadpole/contracts');
    const cache = createOutcomeCache();
    const first = cache.outcome({ key: 'k', grade: () => Promise.reject(new TadpoleError({ code: 'aborted', message: '' })) });
    const second = cache.outcome({ key: 'k', grade: async () => scored });
    await expect(first).rejects.toMatchObject({ code: 'aborted' });
    expect(await second).toBe(scored);
  });

  it('reads a torn file as absent', async () => {
    mkdirSync(join(folder, 'cache/ab'), { recursive: true });
    writeFileSync(join(folder, 'cache/ab/abc.json'), '{"status":"sco');
    expect(await createOutcomeCache({ directory: join(folder, 'cache') }).outcome({ key: 'abc', grade: async () => scored })).toBe(scored);
  });
});

describe('the hash of a tree', () => {
  it('changes with a path, a content or an executable bit, and with nothing else', async () => {
    const tree = join(folder, 'tree');
    mkdirSync(join(tree, '.git'), { recursive: true });
    writeFileSync(join(tree, 'a'), 'bc');
    const before = await hashTree(tree);
    writeFileSync(join(tree, '.git/x'), '');
    expect(await hashTree(tree)).toBe(before);
    writeFileSync(join(tree, 'a'), 'bd');
    expect(await hashTree(tree)).not.toBe(before);
    writeFileSync(join(tree, 'a'), 'bc');
    writeFileSync(join(tree, 'b'), '');
    expect(await hashTree(tree)).not.toBe(before);
  });
});
