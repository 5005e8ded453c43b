import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTwoFilesPatch, parsePatch as parseStrictly } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePatch } from '../../src/duplicates/parse-patch.js';
import { patchStatistics } from '../../src/duplicates/patch-statistics.js';

const paths = (patch: string) => parsePatch(patch).map(({ path, previousPath }) => [previousPath, path]);

test('reads what git writes for a rename, a mode, a binary, a new, a deleted and an oddly named file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tadpole-parse-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, encoding: 'utf8' });
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  try {
    mkdirSync(join(folder, 'my lib'));
    git('init', '-q');
    for (const name of ['old.js', 'mode.sh', 'gone.js', 'my lib/é"q.js']) write(name, `one\ntwo\nthree\nfour\n${name}\n`);
    write('blob.bin', Buffer.from([0, 1, 2, 3]));
    git('add', '-A');
    git('commit', '-qm', 'first');
    renameSync(join(folder, 'old.js'), join(folder, 'new.js'));
    write('new.js', 'one\ntwo\nthree!\nfour\nold.js\n');
    chmodSync(join(folder, 'mode.sh'), 0o755);
    rmSync(join(folder, 'gone.js'));
    write('my lib/é"q.js', 'one\n-- two\nthree\nfour\nmy lib/é"q.js\n');
    write('blob.bin', Buffer.from([0, 9, 9, 9]));
    write('born.js', 'x\n');
    git('add', '-A');
    const patch = git('diff', '--cached', '--binary', '-M');
    expect(paths(patch).sort()).toEqual(
      [
        ['old.js', 'new.js'],
        ['mode.sh', 'mode.sh'],
        ['gone.js', 'gone.js'],
        ['my lib/é"q.js', 'my lib/é"q.js'],
        ['blob.bin', 'blob.bin'],
        [null, 'born.js'],
      ].sort(),
    );
    // blob 0, born +1, gone -5, rename -1 +1, odd name -1 +1
    expect(patchStatistics(patch)).toEqual({ files: 6, binaryFiles: 1, hunks: 4, addedLines: 3, removedLines: 7, sizeBucket: 'small' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('agrees with the diff library on every hunk of two texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '-- a', '++ b', '@@ c', '', ' x', '\\ y', 'diff --git a b'), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 4 }), (before, after, context) => {
      fc.pre(before.join('\n') !== after.join('\n'));
      const patch = createTwoFilesPatch('a/f.js', 'b/f.js', before.join('\n'), after.join('\n'), undefined, undefined, { context });
      const marks = { context: ' ', removed: '-', added: '+' };
      const ours = parsePatch(patch).map((file) => file.hunks.map(({ lines }) => lines.map((line) => marks[line.kind] + line.text)));
      const strict = parseStrictly(patch).map((file) => file.hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\ No'))));
      expect(ours).toEqual(strict);
    }),
  );
});

test('keeps lines behind a wrong count and stops at the next file and at a mail signature', () => {
  const patch = '--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-a\n+b\n+c\n d\n--- a/y.js\n+++ b/y.js\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.0\n';
  expect(parsePatch(patch).map(({ hunks }) => hunks[0]?.lines.length)).toEqual([4, 2]);
  expect(patchStatistics(patch)).toMatchObject({ files: 2, addedLines: 3, removedLines: 2, sizeBucket: 'small' });
});

test('takes a removed line that begins with two hyphens as a line and no file', () => {
  const [file, ...rest] = parsePatch('--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1 @@\n--- a comment\n a\n');
  expect(rest).toEqual([]);
  expect(file?.hunks[0]?.lines).toEqual([
    { kind: 'removed', text: '-- a comment' },
    { kind: 'context', text: 'a' },
  ]);
});

test('leaves a folder that is called a when the patch has no prefixes', () => {
  expect(paths('--- a/x.js\t2026-01-01\n+++ a/x.js\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n')).toEqual([['a/x.js', 'a/x.js']]);
});

test('a blank patch has no file, and text that is no diff is refused', () => {
  expect(parsePatch(' \n')).toEqual([]);
  expect(patchStatistics('').sizeBucket).toBe('none');
  expect(() => parsePatch('hello\nworld\n')).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});

test('counts a patch of many lines in the bucket of its size', () => {
  const sizes = [1, 2, 3, 10, 11, 50, 51, 200, 201].map((count) => `--- a/x\n+++ b/x\n@@ -0,0 +1,${count} @@\n${'+x\n'.repeat(count)}`);
  expect(sizes.map((patch) => patchStatistics(patch).sizeBucket)).toEqual(
    ['tiny', 'tiny', 'small', 'small', 'medium', 'medium', 'large', 'large', 'huge'], //
  );
});

test('any text is either read or refused as invalid input', () => {
  const line = fc.constantFrom(
    'diff --git a/x b/x',
    '--- a/x',
    '+++ b/x',
    '@@ -1 +1 @@',
    '@@ -9,99999999 +1 @@',
    '-a',
    '+b',
    ' c',
    'GIT binary patch',
    'rename from "',
    '"\\',
    '\0',
    '--- "a/\\303\\251"',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 20 }), (lines) => {
      try {
        expect(Array.isArray(parsePatch(lines.join('\n')))).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid-input' });
      }
    }),
  );
});
