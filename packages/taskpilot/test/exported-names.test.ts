import { expect, test } from 'vitest';
import { exportedNames } from '../src/reversal/exported-names.js';

test.each<[string, string, string[]]>([
  ['a.js', 'module.exports = { a, b: c };\nexports.d = 1; module.exports.e = 2;\nconst f = 3; x.exports.g = 4;', ['a', 'b', 'd', 'e']],
  [
    'a.ts',
    'export const a = 1;\nexport default class B {}\nexport async function c() {}\nexport type D = 1;\nexport { x as e };\nlet f;',
    ['B', 'D', 'a', 'c', 'e'],
  ],
  ['a.py', 'def a():\n    def inner(): pass\nclass B: pass\nasync def c(): pass\ndef _d(): pass', ['B', 'a', 'c']],
  ['a.go', 'func A() {}\nfunc (r *R) B() {}\ntype C struct {}\nfunc d() {}', ['A', 'B', 'C']],
  ['a.rs', 'pub fn a() {}\npub struct B;\nfn c() {}', ['B', 'a']],
  ['A.java', 'public class A {\n  public static int b() { return 1; }\n  private int c() { return 1; }\n}', ['A', 'b']],
])('of %s: %j', (file, text, names) => {
  expect([...exportedNames({ file, text })].sort()).toEqual(names);
});
