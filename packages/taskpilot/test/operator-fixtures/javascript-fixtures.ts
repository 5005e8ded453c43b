import type { OperatorFixtures } from './operator-fixture.js';

/** For JavaScript, TypeScript and TSX alike. */
export const javascriptFixtures: OperatorFixtures = {
  'flip-equality': { mutates: ['x = a === b;', 'x = a !== b;'], keeps: 'x = a < b;' },
  'shift-boundary': { mutates: ['x = a < b;', 'x = a <= b;'], keeps: 'x = a === b;' },
  'reverse-comparison': { mutates: ['x = a < b;', 'x = a > b;'], keeps: 'x = a == b;' },
  'swap-logical': { mutates: ['x = a && b;', 'x = a || b;'], keeps: 'x = a ?? b;' },
  'swap-arithmetic': { mutates: ['x = a + b;', 'x = a - b;'], keeps: 'x = a + "b";' },
  'swap-bitwise': { mutates: ['x = a & b;', 'x = a | b;'], keeps: 'x = a && b;' },
  'flip-update': { mutates: ['x++;', 'x--;'], keeps: 'for (;; x++) {}' },
  'flip-assignment': { mutates: ['x += a;', 'x -= a;'], keeps: 'x += `a`;' },
  'flip-boolean': { mutates: ['x = true;', 'x = false;'], keeps: 'x = "true"; // true' },
  'shift-integer': { mutates: ['x = a[2];', 'x = a[1];', 'x = a[3];'], keeps: 'x = 1.5 + 0x10 + "7";' },
  'negate-condition': { mutates: ['if (f(a)) b();', 'if (!f(a)) b();'], keeps: 'while (a) b();' },
  'drop-negation': { mutates: ['x = !a;', 'x = a;'], keeps: 'x = -a;' },
  'swap-arguments': { mutates: ['f(a,\n  b);', 'f(b,\n  a);'], keeps: 'f(a, () => b);' },
  'swap-branches': { mutates: ['x = a ? b : c;', 'x = a ? c : b;'], keeps: 'x = a ? b : b;' },
  'swap-method': { mutates: ['x = a.indexOf(b);', 'x = a.lastIndexOf(b);'], keeps: 'x = a.indexOf;' },
  'swap-operands': { mutates: ['x = a - b;', 'x = b - a;'], keeps: 'x = a * b;' },
  'break-chain': { mutates: ['x = a + "-" + b;', 'x = a + "-";'], keeps: 'x = a + b;' },
  'drop-condition-side': { mutates: ['x = a && b;', 'x = a;', 'x = b;'], keeps: 'x = a & b;' },
  'invert-if-else': {
    mutates: ['if (a) {\n  b();\n} else {\n  c();\n}', 'if (a) {\n  c();\n} else {\n  b();\n}'],
    keeps: 'if (a) b(); else if (c) d();',
  },
  'swap-break-continue': {
    mutates: ['for (const x of a) { if (x) break; }', 'for (const x of a) { if (x) continue; }'],
    keeps: 'while (true) { if (a) break; }',
  },
  'remove-loop': { mutates: ['a();\nfor (const x of a) {\n  b(x);\n}\nc();', 'a();\nc();'], keeps: 'if (a) b();' },
  'remove-condition': {
    mutates: ['if (a) {\n  if (b) {\n    c();\n  } else d();\n}', 'if (b) {\n  c();\n} else d();'],
    keeps: 'if (a) {\n  const x = b;\n  c(x);\n}',
  },
  'remove-if': { mutates: ['b();\nif (a) throw b;\nc();', 'b();\nc();'], keeps: 'if (a) b(); else c();' },
  'drop-argument': { mutates: ['f(a, b);', 'f(a);'], keeps: 'f(a); g(a, () => b);' },
  'repeat-argument': { mutates: ['f(a, b, 1);', 'f(a, a, 1);'], keeps: 'f(a, a, b.c);' },
  'unwrap-call': { mutates: ['x = f(a + b) * c;', 'x = (a + b) * c;'], keeps: 'f(a); x = f(a, b); y = require("a");' },
  'remove-call': { mutates: ['a();\nawait b(a);\n', 'await b(a);\n', 'a();\n'], keeps: 'x = a();' },
  'remove-assignment': { mutates: ['if (a) x.y = b;', 'if (a) {}'], keeps: 'const x = b; x.f = () => a;' },
  'remove-statement': { mutates: ['if (a) {\n  throw b;\n}', 'if (a) {\n}'], keeps: 'return a;' },
  'remove-try': {
    mutates: ['try {\n  a(`\n    b`);\n  c();\n} catch {\n  d();\n}', 'a(`\n    b`);\nc();'],
    keeps: 'try { a(); } finally { b(); }',
  },
  'remove-return-value': { mutates: ['return a;', 'return;'], keeps: 'return null;' },
  'remove-body': {
    at: 'top',
    mutates: ['const f = (a) => {\n  if (a) return [a];\n  return b(() => { return 1; });\n};', 'const f = (a) => {\n  return [];\n};'],
    keeps: 'function f(a) { return a; }\nclass A extends B {\n  constructor() {\n    super();\n    f();\n  }\n}',
  },
  'swap-statements': { mutates: ['a.push(b);\na.pop();', 'a.pop();\na.push(b);'], keeps: 'const a = b;\na.pop();' },
  'swap-bodies': {
    at: 'top',
    mutates: [
      'class A {\n  f(a) { return a; }\n  async g(a) { b(); }\n  h() {}\n}\nfunction i() { return 1; }\nfunction j() { return 2; }',
      'class A {\n  f(a) { return a; }\n  async g(a) { b(); }\n  h() {}\n}\nfunction i() { return 2; }\nfunction j() { return 1; }',
    ],
    keeps: 'class A {\n  f(a) { return a; }\n  g(b) { return b; }\n}',
  },
  'drop-base-class': {
    at: 'top',
    mutates: ['class A extends B { f() {} }', 'class A { f() {} }'],
    keeps: 'class A extends B { f() { super.f(); } }',
  },
};
