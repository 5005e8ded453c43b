import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeTokens } from '../../src/duplicates/code-tokens.js';
import { commentSyntax } from '../../src/duplicates/comment-syntax.js';

const extensions = ['js', 'ts', 'py', 'go', 'rs', 'java', 'rb', 'php', 'c', 'txt'];
const tokens = (path: string, text: string) =>
  codeTokens({ lines: text.split('\n'), syntax: commentSyntax(path) })
    .flat()
    .join(' ');

test.each([
  ['a.js', 'if (a<b) // why\n  f( /* x */ "a // b" )', 'if ( a < b ) f ( "a // b" )'],
  ['a.js', 'x = /https?:\\/\\/[/*]+/.test(y) // c', 'x = /https?:\\/\\/[/*]+/ . test ( y )'],
  ['a.js', 'x = a / b / c // d', 'x = a / b / c'],
  ['a.tsx', '<b>a</b><i>{c}</i>', '< b > a < / b > < i > { c } < / i >'],
  ['a.ts', 'const s = `a  // \x24{b}` // c', 'const s = ` a / / $ { b } `'],
  ['a.py', 'x = \'#\' + "\\"#" # c', 'x = \'#\' + "\\"#"'],
  ['a.py', 'def f():\n  """One # two\n  three"""\n  return 1 // 2', 'def f ( ) : """ One # two three """ return 1 / / 2'],
  ['a.go', 'p := `a // b` // c', 'p : = ` a / / b `'],
  ['a.rs', "fn f<'a>(x: &'a str) -> char { /* a /* b */ c */ '\\'' }", "fn f < ' a > ( x : & ' a str ) - > char { '\\'' }"],
  ['a.java', 'char c = \'"\'; // "\nString s = """\n a // b""";', 'char c = \'"\' ; String s = """ a / / b """ ;'],
  ['a.rb', 'x = "#{a}" # b', 'x = "#{a}"'],
  ['a.php', '#[Attr] $x = 1; # c // d', '# [ Attr ] $x = 1 ;'],
  ['a.txt', "It's # here // too", "It ' s # here / / too"],
  ['Makefile', 'all: # x', 'all : # x'],
  ['a.js', 'héllo_$1 = 😀', 'héllo_$1 = 😀'],
  ['a.js', "<p>Don't // do</p>", "< p > Don ' t / / do < / p >"],
])('%s: %s', (path, text, expected) => {
  expect(tokens(path, text)).toBe(expected);
});

test('a fragment that begins inside a block comment gives only what follows it', () => {
  expect(tokens('a.js', ' * old words\n */ a()\n/* b */ c')).toBe('a ( ) c');
  expect(tokens('a.ts', '   * old words\n   *\n  * more')).toBe('');
  expect(tokens('a.ts', '  * 2;\n  f(a\n  * b)')).toBe('f ( a * b )');
  expect(tokens('a.py', '* a')).toBe('* a');
  expect(tokens('a.py', 'a */ b')).toBe('a * / b');
});

test('white space between tokens changes nothing, whatever the language', () => {
  const token = fc.constantFrom('a', 'b2', '(', ')', '<', '=', '+', '"x  y"', '1');
  const space = fc.constantFrom(' ', '  ', '\t', '\n', ' \r', '\u00a0');
  fc.assert(
    fc.property(fc.constantFrom(...extensions), fc.array(fc.tuple(token, space), { maxLength: 20 }), (extension, pairs) => {
      const spaced = pairs.map(([text, between]) => text + between).join('');
      expect(tokens(`x.${extension}`, spaced)).toBe(tokens(`x.${extension}`, pairs.map(([text]) => text).join(' ')));
    }),
  );
});

test('tokens hold every character of a text without comments and white space', () => {
  const code = fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '`', '\\', '<', '[', '\n', 'é', '😀') });
  fc.assert(
    fc.property(fc.constantFrom(...extensions), code, (extension, text) => {
      expect(tokens(`x.${extension}`, text).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    }),
  );
});

test.each(['=/[', '"\\', '/*', '*/', '`', "'\\", '"""', '#', '\x24{`', '\\"', "'a", '(', '/*/', '=/\\'])(
  'a line and a file of 200,000 characters of %s end',
  (unit) => {
    const line = unit.repeat(200_000 / unit.length);
    for (const extension of ['js', 'py', 'rs']) {
      const syntax = commentSyntax(`x.${extension}`);
      expect(codeTokens({ lines: [line], syntax })).toHaveLength(1);
      expect(codeTokens({ lines: Array(10_000).fill(unit.repeat(4)), syntax })).toHaveLength(10_000);
    }
  },
);
