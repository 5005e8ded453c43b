import type { OperatorFixtures } from './operator-fixture.js';

export const goFixtures: OperatorFixtures = {
  'flip-equality': { mutates: ['x = a == b', 'x = a != b'], keeps: 'x = a < b' },
  'shift-boundary': { mutates: ['x = a > b', 'x = a >= b'], keeps: 'x = a == b' },
  'reverse-comparison': { mutates: ['x = a > b', 'x = a < b'], keeps: 'x = a == b' },
  'swap-logical': { mutates: ['x = a || b', 'x = a && b'], keeps: 'x = a | b' },
  'swap-arithmetic': { mutates: ['x = a % b', 'x = a * b'], keeps: 'x = "a" + b' },
  'swap-bitwise': { mutates: ['x = a << b', 'x = a >> b'], keeps: 'x = a && b' },
  'flip-update': { mutates: ['x++', 'x--'], keeps: 'for i := 0; a; i++ {\n}' },
  'flip-assignment': { mutates: ['x += a', 'x -= a'], keeps: 'x = a' },
  'flip-boolean': { mutates: ['x = true', 'x = false'], keeps: 'x = "true" // true' },
  'shift-integer': { mutates: ['x = a[0]', 'x = a[1]'], keeps: 'var x [4]int' },
  'negate-condition': { mutates: ['if ok(a) {\n\tb()\n}', 'if !ok(a) {\n\tb()\n}'], keeps: 'if a != nil {\n\tb()\n}' },
  'drop-negation': { mutates: ['x = !a', 'x = a'], keeps: 'x = -a' },
  'swap-arguments': { mutates: ['f(a, b)', 'f(b, a)'], keeps: 'f(a, b...)' },
  'swap-method': { mutates: ['x = strings.HasPrefix(a, b)', 'x = strings.HasSuffix(a, b)'], keeps: 'x = HasPrefix(a, b)' },
  'swap-operands': { mutates: ['x = a - b', 'x = b - a'], keeps: 'x = a + b' },
  'break-chain': { mutates: ['x = a + b + c', 'x = a + b'], keeps: 'x = a + b' },
  'drop-condition-side': { mutates: ['x = a && b', 'x = a', 'x = b'], keeps: 'x = a & b' },
  'invert-if-else': {
    mutates: ['if a {\n\tb()\n} else {\n\tc()\n}', 'if a {\n\tc()\n} else {\n\tb()\n}'],
    keeps: 'if x := a(); x {\n\tb()\n} else {\n\tc()\n}',
  },
  'swap-break-continue': {
    mutates: ['for _, x := range a {\n\tbreak\n}', 'for _, x := range a {\n\tcontinue\n}'],
    keeps: 'for {\n\tbreak\n}',
  },
  'remove-loop': { mutates: ['b()\nfor a {\n\tb()\n}\nc()', 'b()\nc()'], keeps: 'if a {\n\tb()\n}' },
  'remove-condition': { mutates: ['if a {\n\tb()\n\tc()\n}', 'b()\nc()'], keeps: 'if x := a(); x {\n\tb()\n}' },
  'remove-if': { mutates: ['b()\nif a {\n\treturn\n}\nc()', 'b()\nc()'], keeps: 'if a {\n\tb()\n} else {\n\tc()\n}' },
  'repeat-argument': { mutates: ['f(a, b)', 'f(a, a)'], keeps: 'f(a, b.c)' },
  'unwrap-call': { mutates: ['x = a.Clone()', 'x = a'], keeps: 'x = len(a)' },
  'remove-call': { mutates: ['a()\nb(a)', 'b(a)', 'a()\n'], keeps: 'x := a()' },
  'remove-assignment': { mutates: ['x := 1\nx = a', 'x := 1\n'], keeps: 'x := 1\nx = func() {}' },
  'remove-statement': { mutates: ['a()\ndefer b()\nc()', 'a()\nc()'], keeps: 'return' },
  'remove-body': {
    at: 'top',
    mutates: [
      'package p\n\nfunc f(a int) (n int, err error) {\n\tb := a\n\treturn b, nil\n}\n',
      'package p\n\nfunc f(a int) (n int, err error) {\n\treturn 0, nil\n}\n',
    ],
    keeps: 'package p\n\nfunc f(a int) T {\n\tb := a\n\treturn T{b}\n}\n',
  },
  'swap-statements': { mutates: ['a.b = 1\na.b += c', 'a.b += c\na.b = 1'], keeps: 'x := 1\nx += 1' },
  'swap-bodies': {
    at: 'top',
    mutates: [
      'package p\n\nfunc (t *T) F() int {\n\treturn 1\n}\n\nfunc (t *T) G() int {\n\treturn 2\n}\n',
      'package p\n\nfunc (t *T) F() int {\n\treturn 2\n}\n\nfunc (t *T) G() int {\n\treturn 1\n}\n',
    ],
    keeps: 'package p\n\nfunc (t *T) F() int {\n\treturn 1\n}\n\nfunc (t T) G() int {\n\treturn 2\n}\n',
  },
};
