import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseShell } from '../src/index.js';

const commands = (text: string) => parseShell(text).map(({ name, words }) => [name, ...words.map(({ value }) => value)].join(' '));

describe('parseShell', () => {
  test.each([
    ['a b | c && d; e || f & g', ['a b', 'c', 'd', 'e', 'f', 'g']],
    ['echo "a b" \'c;d\' e\\ f', ['echo a b c;d e f']],
    ['(cd x; ls) | wc', ['cd x', 'ls', 'wc']],
    ['echo $(git log --all)', ['git log --all', 'echo $(git log --all)']],
    ['echo "`git tag`"', ['git tag', 'echo `git tag`']],
    ["bash -lc 'cd a && git log'", ['bash -lc cd a && git log', 'cd a', 'git log']],
    ['FOO=1 BAR="x y" node a.js', ['node a.js']],
    ['env A=1 timeout 5s nohup npm test', ['npm test']],
    ['if true; then git tag; fi', ['true', 'git tag', 'fi']],
    ['find . -name x -exec cat {} \\;', ['find . -name x -exec cat {} ;', 'cat {} ;']],
    ['ls # git log --all', ['ls']],
    ['a \\\n  b\nc', ['a b', 'c']],
    ['/usr/bin/git log', ['git log']],
    ['cat <(git tag)', ['cat ', 'git tag']],
  ])('reads %j', (text, expected) => {
    expect(commands(text)).toEqual(expected);
  });

  test('keeps redirections apart from words', () => {
    const [command] = parseShell('cat < in.txt 2>/dev/null >> out.txt 2>&1');
    expect(command?.words).toEqual([]);
    expect(command?.redirects.map(({ operator, target }) => [operator, target.value])).toEqual([
      ['<', 'in.txt'],
      ['>', '/dev/null'],
      ['>>', 'out.txt'],
      ['>&', '1'],
    ]);
  });

  test('keeps a here-document apart from the commands around it', () => {
    const [first, second] = parseShell("python - <<'PY' && echo ok\nimport os; git\nPY\nls\n");
    expect(first?.heredoc?.value).toBe('import os; git\n');
    expect(second?.name).toBe('echo');
    expect(commands('cat <<EOF\ngit log --all\nEOF\nls')).toEqual(['cat', 'ls']);
  });

  test('spans say where a word stands, also inside a quoted script', () => {
    const text = `bash -c 'git show "a b"'`;
    const word = parseShell(text)[1]?.words[1];
    expect(text.slice(word?.start, word?.end)).toBe('"a b"');
  });

  test('ends on any text, and every span lies in it', () => {
    const piece = fc.constantFrom(
      'git',
      ' ',
      "'",
      '"',
      '`',
      '$(',
      ')',
      '(',
      ';',
      '\n',
      '\\',
      '<<',
      '<<E\n',
      'E',
      '>',
      '|',
      '&',
      '#',
      '=',
      '-c',
      'bash',
      '<(',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
          fc.string({ maxLength: 60 }),
        ),
        (text) => {
          for (const { words, assignments, redirects } of parseShell(text)) {
            for (const { start, end } of [...words, ...assignments, ...redirects.map(({ target }) => target)]) {
              expect(start).toBeGreaterThanOrEqual(0);
              expect(end).toBeGreaterThanOrEqual(start);
              expect(end).toBeLessThanOrEqual(text.length);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
