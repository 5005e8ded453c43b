import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bugPatch, type FileChange, goldPatch } from '../src/edit/git-patch.js';
import { restoreSnapshot } from '../src/edit/restore-snapshot.js';

const lines = (count: number, end: string) => Array.from({ length: count }, (_, index) => `const v${index} = ${index};${end}`).join('');
const changes: [string, FileChange][] = [
  ['LF', { path: 'lib/a.js', snapshot: lines(20, '\n'), buggy: lines(20, '\n').replace('= 9;', '= 8;') }],
  ['CRLF', { path: 'lib/a.js', snapshot: lines(20, '\r\n'), buggy: lines(20, '\r\n').replace('= 9;', '= 8;') }],
  ['byte order mark and astral', { path: 'a.js', snapshot: '\uFEFFlet a = "😀" + 1;\n', buggy: '\uFEFFlet a = "😀" - 1;\n' }],
  ['no end of line at the end', { path: 'a.js', snapshot: 'one\ntwo', buggy: 'one\nthree' }],
  ['mixed line ends', { path: 'a.js', snapshot: 'a\r\nb\nc\r\nd + 1\ne\r', buggy: 'a\r\nb\nc\r\nd - 1\ne\r' }],
  ['a space in the path', { path: 'my lib/a b.js', snapshot: 'a\n', buggy: 'b\n' }],
  ['a quote and an accent in the path', { path: 'lib/é"q.js', snapshot: 'a\n', buggy: 'b\n' }],
  ['lines that look like patch headers', { path: 'a.js', snapshot: '-- a\n++ b\n@@ c\nx\n', buggy: '-- a\n++ c\n@@ c\nx\n' }],
];

test.each(changes)('git apply restores the snapshot and makes the bug, byte for byte: %s', (_, file) => {
  const folder = mkdtempSync(join(tmpdir(), 'tadpole-patch-'));
  try {
    const path = join(folder, file.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.buggy);
    const apply = (patch: string) => execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: patch });
    apply(goldPatch({ files: [file] }));
    expect(readFileSync(path, 'utf8')).toBe(file.snapshot);
    apply(bugPatch({ files: [file] }));
    expect(readFileSync(path, 'utf8')).toBe(file.buggy);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(changes)('the gold patch applied to the buggy text gives the snapshot: %s', (_, file) => {
  const gold = goldPatch({ files: [file] });
  expect(restoreSnapshot({ files: [file], goldPatch: gold })).toEqual([{ path: file.path, restored: file.snapshot }]);
});

test('a patch of something else restores nothing', () => {
  const file = { path: 'a.js', snapshot: 'a\nb\n', buggy: 'a\nc\n' };
  const other = goldPatch({ files: [{ path: 'a.js', snapshot: 'a\nq\n', buggy: 'a\nc\n' }] });
  expect(restoreSnapshot({ files: [file], goldPatch: other })).toEqual([{ path: 'a.js', restored: null }]);
});
