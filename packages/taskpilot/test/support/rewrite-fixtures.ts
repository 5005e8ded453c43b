// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is source text with a template in it
/** What one form does in one language; code stands inside a function, its lines indented by hand. */
export interface RewriteFixture {
  /** Source and all its rewritten forms, sorted. */
  readonly rewrites?: readonly [string, ...string[]];
  /** Sources that look alike and have no rewritten form. */
  readonly keeps: readonly string[];
}

/** By the form's name. */
type RewriteFixtures = Readonly<Record<string, RewriteFixture>>;

const javascript: RewriteFixtures = {
  parenthesise: {
    rewrites: ['x = a * b + c;', 'x = (a * b + c);', 'x = (a * b) + c;'],
    keeps: [
      'a + b && c;',
      'x = (a + b);',
      'a < b < 1;',
      '(f)(1);',
      'module.exports = a;',
      'x = a /* all */ + b;',
      'x = `${a + b}`;',
      'x = y => z;',
      'a?.b(1);',
    ],
  },
  'mirror-comparison': {
    rewrites: [
      "x = a < 1 || f(a) === 'b' || c !== d;",
      "x = 1 > a || f(a) === 'b' || c !== d;",
      "x = a < 1 || 'b' === f(a) || c !== d;",
      "x = a < 1 || f(a) === 'b' || d !== c;",
    ],
    keeps: ['x = a < b;', 'x = f() === g();', 'x = a + b < 1;', 'x = a < b < 1;', 'x = f(a > 1, b > (c));', "[a] === 'b';", "'b' in a;"],
  },
  'swap-if-else': {
    rewrites: ['if (a < b) { f(); } else { g(); }', 'if (!(a < b)) { g(); } else { f(); }'],
    keeps: [
      'if (a) { f(); }',
      'if (a) { f(); } else if (b) { g(); }',
      'if (a) f(); else g();',
      'if (a) { f(); /* so */ } else { g(); }',
      'if (a) { function f() {} } else { g(); }',
    ],
  },
  'double-negation': {
    rewrites: ['x = a ? b : c;', 'x = !(!(a)) ? b : c;'],
    keeps: ['x = a && b;', 'while (true) f();', 'for (;;) f();', 'if (a /* all */ + b) f();'],
  },
  'de-morgan': {
    rewrites: ['if (!(a || f(b)) && c) g();', 'if (!(!(!(a || f(b))) || !(c))) g();', 'if (!(!(!(a) && !(f(b)))) && c) g();'],
    keeps: ['x = a && b;', 'if (a ?? b) f();', 'if ((a || b) === c) f();', 'f(a || b);'],
  },
  'expand-assignment': {
    rewrites: ['x -= a - b;', 'x = x - (a - b);'],
    keeps: ['x.y += a;', 'x[f()] += a;', 'y = x += a;', 'x ||= a;', 'x &&= a;', 'for (;; x += 1) f();', 'x += /* one */ 1;'],
  },
  'contract-assignment': {
    rewrites: ['x = x * (a + b);', 'x *= (a + b);'],
    keeps: ['x = a + x;', 'x = x - a - b;', 'x.y = x.y + a;', 'x = x && a;', 'x = x < a;', 'y = x + a;', 'x += x + a;'],
  },
  'name-result': {
    rewrites: ['if (a) { return a + b; }', 'if (a) { const result = a + b; return result; }'],
    keeps: [
      'if (a) return a + b;',
      'return;',
      'return () => a;',
      'return (class {});',
      'return (a, b);',
      'eval(c); return a + b;',
      'return a + /* so */ b;',
      'switch (a) { case 1: return a + b; }',
      'lambda((a) => a + b);',
    ],
  },
  'rename-local': {
    rewrites: ['let x = 1; x += a.b; f(x, () => x);', 'let x2 = 1; x2 += a.b; f(x2, () => x2);'],
    keeps: [
      'let x = 1; f({ x });',
      'let x = 1; f(a.x);',
      "let x = 1; f('x');",
      'let x = 1; // x',
      'const x = () => 1;',
      'let x; x = (class {});',
      'let x = 1; eval(a);',
      'let x = 1; f(arguments);',
      '{ let x = 1; } f(x);',
      'f(x); var x = 1;',
      'const { x } = a;',
      'var x = 1; function x() {}',
      'let [x = 1] = a;',
    ],
  },
  'swap-declarations': {
    rewrites: ['let x = 1; const y = [];', 'const y = []; let x = 1;'],
    keeps: [
      'let x = 1; let y = x;',
      'let x = f(); let y = 1;',
      'let x = 1; let y = a;',
      'let x = 1, y = 2; let z = 3;',
      'let x = 1; f(); let y = 2;',
      'let x = 1; /* so */ let y = 2;',
      'let x = 1\nlet y = 2;',
      'var x = 1; var x = 2;',
      'for (var x = 1; ;) var y = 2;',
    ],
  },
};

const typescript: RewriteFixtures = {
  ...javascript,
  'name-result': {
    rewrites: ['return a.b;', 'const result = a.b; return result;'],
    keeps: ["return { kind: 'a' };", 'return [];', 'return f(a);', 'return (x) => a;', "return a ? 'a' : 'b';"],
  },
  'rename-local': {
    rewrites: ['const x: number = 1; f(x as y);', 'const x2: number = 1; f(x2 as y);'],
    keeps: ['const x: number = 1; type y = { x: 1 };', 'const x = (a: x) => a;'],
  },
};

const python: RewriteFixtures = {
  parenthesise: {
    rewrites: ['x = a < b + c < d', 'x = (a < b + c < d)', 'x = a < (b + c) < d'],
    keeps: ['a + b and c', 'x = "a" "b"', 'x = f"{a + b}"', 'x = a + \\\n  b', 'x = lambda: 1', 'f(*a)', 'x = [i for i in a]'],
  },
  'mirror-comparison': { keeps: ['x = a < 1', 'x = a == b', 'x = 1 <= a <= 2'] },
  'swap-if-else': {
    rewrites: ['if a < b:\n  f()\n  h()\nelse:\n  g()', 'if not (a < b):\n  g()\nelse:\n  f()\n  h()'],
    keeps: [
      'if a:\n  f()',
      'if a:\n  f()\nelif b:\n  g()\nelse:\n  h()',
      'if a: f()\nelse: g()',
      'if a:\n  f()  # so\nelse:\n  g()',
      'x = f() if a else g()',
    ],
  },
  'double-negation': {
    rewrites: ['x = b if a < 1 else c', 'x = b if not (not (a < 1)) else c'],
    keeps: ['while True:\n  f()', 'x = [i for i in a if i]', 'assert a', 'x = not a'],
  },
  'de-morgan': {
    rewrites: ['while a and f(b):\n  g()', 'while not (not (a) or not (f(b))):\n  g()'],
    keeps: ['x = a and b', 'if (a or b) == c:\n  f()', 'f(a or b)', 'if a and \\\n    b:\n  f()'],
  },
  'expand-assignment': { keeps: ['x += a', 'x -= 1'] },
  'contract-assignment': { keeps: ['x = x + a', 'x = x - 1'] },
  'name-result': {
    rewrites: ['if a: return a, b', 'if a: result = a, b; return result'],
    keeps: ['return', 'locals(); return a', 'return (a +  # so\n  b)', 'x = lambda: a + b'],
  },
  'rename-local': {
    rewrites: ['x = 1\nx += a.b\nf(x)', 'x2 = 1\nx2 += a.b\nf(x2)'],
    keeps: [
      'x = 1\nf(x=x)',
      'x = 1\nf(a.x)',
      'x = 1\nf("x")',
      'x = 1\nf(f"{x=}")',
      'x = 1\nlocals()',
      'global x\nx = 1',
      'x = 1\nf(lambda: x)',
      'x = 1\nf([x for x in a])',
      'x = 1\nclass A:\n  y = x',
      'x = 1\nimport x',
      'f(x)\nx = 1',
      'x, y = a',
    ],
  },
  'swap-declarations': {
    rewrites: ['x = 1\ny = []', 'y = []\nx = 1'],
    keeps: [
      'x = 1\ny = x',
      'x = f()\ny = 1',
      'x = 1\nx = 2',
      'x = f"{a}"\ny = 1',
      'x = 1\n# so\ny = 2',
      'class A:\n  x = 1\n  y = 2',
      'f(y)\nx = 1\ny = 2',
    ],
  },
};

const go: RewriteFixtures = {
  parenthesise: { rewrites: ['f(a * b)', 'f((a * b))'], keeps: ['return f(a)', 'x := a + b', 'return a + b'] },
  'mirror-comparison': { rewrites: ['x = a < b', 'x = b > a'], keeps: ['x = f() < g()', 'x = a + 1 < b', 'x = a.b < c'] },
  'swap-if-else': {
    rewrites: ['if x := f(); x < a { g() } else { h() }', 'if x := f(); !(x < a) { h() } else { g() }'],
    keeps: ['if a { g() }', 'if a { f() } else if b { g() }'],
  },
  'double-negation': { rewrites: ['if a { f() }', 'if !(!(a)) { f() }'], keeps: ['for { f() }', 'x = a'] },
  'de-morgan': { rewrites: ['if a || b { f() }', 'if !(!(a) && !(b)) { f() }'], keeps: ['x = a || b', 'f(a && b)'] },
  'expand-assignment': { rewrites: ['x /= a + b', 'x = x / (a + b)'], keeps: ['x.y += a', 'x[f()] += a', 'for ; a; x += 1 { f() }'] },
  'contract-assignment': { rewrites: ['x = x / (a + b)', 'x /= (a + b)'], keeps: ['x = a + x', 'x, y = x + a, b', 'x := x + a'] },
  'name-result': { keeps: ['return a', 'return a + 1'] },
  'rename-local': { keeps: ['x := 1\nf(x)'] },
  'swap-declarations': {
    rewrites: ['x := 1\ny := "a"', 'y := "a"\nx := 1'],
    keeps: ['x := 1\ny := x', 'x, y := 1, 2\nz := 3', 'x = 1\ny = 2'],
  },
};

const rust: RewriteFixtures = {
  parenthesise: { rewrites: ['x = a * b + c;', 'x = (a * b) + c;'], keeps: ['f(a + b);', 'return a + b;', 'println!("{}", a * b + c);'] },
  'mirror-comparison': { keeps: ['x = a < 1;', 'x = a == b;'] },
  'swap-if-else': { keeps: ['if a { f(); } else { g(); }'] },
  'double-negation': { rewrites: ['while a { f(); }', 'while !(!(a)) { f(); }'], keeps: ['if let Some(x) = a { f(); }', 'loop { f(); }'] },
  'de-morgan': {
    rewrites: ['if a && b { f(); }', 'if !(!(a) || !(b)) { f(); }'],
    keeps: ['x = a && b;', 'if a && let Some(x) = b { f(); }'],
  },
  'expand-assignment': { keeps: ['x += a;'] },
  'contract-assignment': { keeps: ['x = x + a;'] },
  'name-result': { keeps: ['return a;'] },
  'rename-local': { keeps: ['let x = 1; f(x);'] },
  'swap-declarations': {
    rewrites: ['let x = 1; let mut y = "a";', 'let mut y = "a"; let x = 1;'],
    keeps: ['let x = 1; let y = x;', 'let x = 1; let x = "a";', 'let (x, y) = (1, 2); let z = 3;'],
  },
};

const java: RewriteFixtures = {
  parenthesise: { rewrites: ['return a * b + c;', 'return (a * b + c);', 'return (a * b) + c;'], keeps: ['f(1);', 'return;'] },
  'mirror-comparison': {
    rewrites: ['x = a < b || a.f() == null;', 'x = a < b || null == a.f();', 'x = b > a || a.f() == null;'],
    keeps: ['x = f() < g();', 'x = a instanceof B;', 'x = a + 1 < 2;'],
  },
  'swap-if-else': {
    rewrites: ['if (a < b) { f(); } else { g(); }', 'if (!(a < b)) { g(); } else { f(); }'],
    keeps: ['if (a instanceof B b) { f(b); } else { g(); }', 'if (a) f(); else g();'],
  },
  'double-negation': { rewrites: ['while (a) f();', 'while (!(!(a))) f();'], keeps: ['while (true) f();', 'if (a instanceof B b) f();'] },
  'de-morgan': { rewrites: ['if (a && b) f();', 'if (!(!(a) || !(b))) f();'], keeps: ['x = a && b;', 'if (a instanceof B b && b.c) f();'] },
  'expand-assignment': { keeps: ['x += a;'] },
  'contract-assignment': { rewrites: ['x = x + a;', 'x += a;'], keeps: ['x = a + x;', 'x.y = x.y + a;', 'y = x = x + a;'] },
  'name-result': { keeps: ['return a;'] },
  'rename-local': { keeps: ['int x = 1; f(x);'] },
  'swap-declarations': {
    rewrites: ['int x = 1; String y = "a";', 'String y = "a"; int x = 1;'],
    keeps: ['int x = 1; int y = x;', 'int x = 1, y = 2; int z = 3;'],
  },
};

/** Every form in every language, by the language's name. */
export const rewriteFixtures: Readonly<Record<string, RewriteFixtures>> = {
  javascript,
  typescript,
  tsx: typescript,
  python,
  go,
  rust,
  java,
};
