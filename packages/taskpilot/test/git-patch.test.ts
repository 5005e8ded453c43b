import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type FileChange, gitPatch } from '../src/edit/git-patch.js';
import { notReproduced } from '../src/edit/reproduces.js';

const lines = (count: number, end: string) => Array.from({ length: count }, (_, index) => `const v${index} = ${index};${end}`).join('');
const changes: [string, FileChange][] = [
  ['LF', { path: 'lib/a.js', after: lines(20, '\n'), before: lines(20, '\n').replace('= 9;', '= 8;') }],
  ['CRLF', { path: 'lib/a.js', after: lines(20, '\r\n'), before: lines(20, '\r\n').replace('= 9;', '= 8;') }],
  ['byte order mark and astral', { path: 'a.js', after: '\uFEFFlet a = "😀" + 1;\n', before: '\uFEFFlet a = "😀" - 1;\n' }],
  ['no end of line at the end', { path: 'a.js', after: 'one\ntwo', before: 'one\nthree' }],
  ['mixed line ends', { path: 'a.js', after: 'a\r\nb\nc\r\nd + 1\ne\r', before: 'a\r\nb\nc\r\nd - 1\ne\r' }],
  ['a space in the path', { path: 'my lib/a b.js', after: 'a\n', before: 'b\n' }],
  ['a quote and an accent in the path', { path: 'lib/é"q.js', after: 'a\n', before: 'b\n' }],
  ['lines that look like patch headers', { path: 'a.js', after: '-- a\n++ b\n@@ c\nx\n', before: '-- a\n++ c\n@@ c\nx\n' }],
];

const reversed = ({ path, before, after }: FileChange): FileChange => ({ path, before: after, after: before });
const whole: [string, FileChange][] = [
  ['a new file', { path: 'new folder/a.js', before: null, after: 'a\nb' }],
  ['a new empty file', { path: 'empty.js', before: null, after: '' }],
  ['a file that comes to be empty', { path: 'a.js', before: 'a\n', after: '' }],
];
const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null);

test.each([...changes, ...whole])('git apply makes the one of the other and back, byte for byte: %s', (_, file) => {
  const folder = mkdtempSync(join(tmpdir(), 'tadpole-patch-'));
  try {
    const path = join(folder, file.path);
    if (file.before !== null) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, file.before);
    }
    const apply = (patch: string) => execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: patch });
    apply(gitPatch({ files: [file] }));
    expect(read(path)).toBe(file.after);
    apply(gitPatch({ files: [reversed(file)] }));
    expect(read(path)).toBe(file.before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([...changes, ...whole])('a patch reproduces what it was made from, either way: %s', (_, file) => {
  for (const change of [file, reversed(file)]) expect(notReproduced({ files: [change], patch: gitPatch({ files: [change] }) })).toBe(null);
});

test('a patch of several files reproduces all of them, one of something else names the file', () => {
  const files = [...changes, ...whole].map(([, file], index) => ({ ...file, path: `${index}/${file.path}` }));
  expect(notReproduced({ files, patch: gitPatch({ files }) })).toBe(null);
  const file = { path: 'a.js', before: 'a\nc\n', after: 'a\nb\n' };
  const other = gitPatch({ files: [{ path: 'a.js', before: 'a\nc\n', after: 'a\nq\n' }] });
  expect(notReproduced({ files: [file], patch: other })).toBe('a.js');
  expect(notReproduced({ files: [file], patch: '' })).toBe('a.js');
});
