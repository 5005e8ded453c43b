import { describe, expect, test } from 'vitest';
import { parsePatch } from '../src/index.js';

const patch = [
  'diff --git a/a.js b/a.js',
  'index 1..2 100644',
  '--- a/a.js',
  '+++ b/a.js',
  '@@ -1,2 +1,2 @@',
  ' kept',
  '--- a/looks-like-a-header',
  '+++ b/looks-like-a-header',
  '@@ -10 +10,2 @@ function f() {',
  '-x',
  '+y',
  '+z',
  '\\ No newline at end of file',
  'diff --git a/new.js b/new.js',
  'new file mode 100644',
  '--- /dev/null',
  '+++ b/new.js',
  '@@ -0,0 +1 @@',
  '+only',
  'diff --git a/old name.js b/old name.js',
  'deleted file mode 100644',
  '--- a/old name.js',
  '+++ /dev/null',
  '@@ -1 +0,0 @@',
  '-gone',
  'diff --git a/p.js b/q.js',
  'similarity index 100%',
  'rename from p.js',
  'rename to q.js',
  'diff --git a/i.png b/i.png',
  'Binary files a/i.png and b/i.png differ',
  '',
].join('\n');

describe('parsePatch', () => {
  test('tells what happens to each file', () => {
    expect(parsePatch(patch).map(({ path, oldPath, status }) => [oldPath, path, status])).toEqual([
      ['a.js', 'a.js', 'modified'],
      ['new.js', 'new.js', 'added'],
      ['old name.js', 'old name.js', 'deleted'],
      ['p.js', 'q.js', 'renamed'],
      ['i.png', 'i.png', 'modified'],
    ]);
  });

  test('reads hunks by their counts, so that a line like a header is a line', () => {
    const [file] = parsePatch(patch);
    expect(file?.removed.map(({ text, hunk }) => [text, hunk])).toEqual([
      ['-- a/looks-like-a-header', 0],
      ['x', 1],
    ]);
    expect(file?.added.map(({ text }) => text)).toEqual(['++ b/looks-like-a-header', 'y', 'z']);
  });

  test('offsets quote the patch verbatim', () => {
    for (const { added, removed } of parsePatch(patch)) {
      for (const { text, start, end } of [...added, ...removed]) expect(patch.slice(start, end)).toBe(text);
    }
  });

  test('reads a diff without git headers', () => {
    const [file] = parsePatch('--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-a\n+b\n--- a/y.js\n+++ b/y.js\n@@ -1 +1 @@\n-c\n+d\n');
    expect(file?.path).toBe('x.js');
    expect(parsePatch('--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-a\n+b\n--- a/y.js\n+++ b/y.js\n@@ -1 +1 @@\n-c\n+d\n')).toHaveLength(2);
  });

  test('an empty patch touches nothing', () => {
    expect(parsePatch('')).toEqual([]);
  });
});
