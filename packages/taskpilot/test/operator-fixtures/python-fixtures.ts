import type { OperatorFixtures } from './operator-fixture.js';

export const pythonFixtures: OperatorFixtures = {
  'flip-equality': { mutates: ['x = a is not b', 'x = a is b'], keeps: 'x = a < b' },
  'shift-boundary': { mutates: ['x = a >= b', 'x = a > b'], keeps: 'x = a == b' },
  'reverse-comparison': { mutates: ['x = a >= b', 'x = a <= b'], keeps: 'x = a in b' },
  'swap-logical': { mutates: ['x = a and b', 'x = a or b'], keeps: 'x = a & b' },
  'swap-arithmetic': { mutates: ['x = a // b', 'x = a * b'], keeps: "x = '%s' % b" },
  'swap-bitwise': { mutates: ['x = a | b', 'x = a & b'], keeps: 'x = a or b' },
  'flip-assignment': { mutates: ['x -= a', 'x += a'], keeps: "x += 'a'" },
  'flip-boolean': { mutates: ['x = True', 'x = False'], keeps: "x = 'True'  # True" },
  'shift-integer': { mutates: ['x = a[0]', 'x = a[1]'], keeps: 'x: Literal[2] = 1.5' },
  'negate-condition': {
    mutates: ['if not a:\n    b()\nelif c.d:\n    e()', 'if a:\n    b()\nelif c.d:\n    e()', 'if not a:\n    b()\nelif not c.d:\n    e()'],
    keeps: 'if a < b:\n    c()',
  },
  'drop-negation': { mutates: ['x = not (a or b)', 'x = (a or b)'], keeps: 'if not a:\n    b()' },
  'swap-arguments': { mutates: ['f(a, b, c=1)', 'f(b, a, c=1)'], keeps: 'isinstance(a, b)' },
  'swap-branches': { mutates: ['x = a if b else c', 'x = c if b else a'], keeps: 'x = a if b else a' },
  'swap-method': { mutates: ['x = max(a).lower()', 'x = max(a).upper()', 'x = min(a).lower()'], keeps: 'x = lower(a)' },
  'swap-operands': { mutates: ['x = a ** b', 'x = b ** a'], keeps: 'x = a * b' },
  'break-chain': { mutates: ['x = a < b <= c', 'x = a < b', 'x = b <= c'], keeps: 'x = a < b' },
  'drop-condition-side': { mutates: ['x = a or b', 'x = a', 'x = b'], keeps: 'x = a | b' },
  'invert-if-else': {
    mutates: ['if a:\n    b()\n    c()\nelse:\n    d()', 'if a:\n    d()\nelse:\n    b()\n    c()'],
    keeps: 'if a:\n    b()\nelif c:\n    d()\nelse:\n    e()',
  },
  'swap-break-continue': { mutates: ['for x in a:\n    break', 'for x in a:\n    continue'], keeps: 'while True:\n    break' },
  'remove-loop': { mutates: ['for x in a:\n    b(x)\nc()', 'pass\nc()'], keeps: 'x = [b for b in a]' },
  'remove-condition': {
    mutates: [
      'if a:\n    # why\n    x = (b,\n         """c\n    d""")\n    if e:\n        f()\n    else:\n        g()\nh()',
      'x = (b,\n     """c\n    d""")\nif e:\n    f()\nelse:\n    g()\nh()',
    ],
    keeps: 'if a:\n    raise b',
  },
  'remove-if': { mutates: ['if a:\n    b()\nc()', 'pass\nc()'], keeps: 'if a:\n    b()\nelse:\n    c()' },
  'drop-argument': { mutates: ['f(a, b=c)', 'f(a)'], keeps: 'f(a); isinstance(a, b)' },
  'repeat-argument': { mutates: ['f(a, b)', 'f(a, a)'], keeps: 'f(a, b=c)' },
  'unwrap-call': { mutates: ['x = a.strip()', 'x = a'], keeps: "f(a)\nx = f('a')\ny = f(a, b)\nz = super()" },
  'remove-call': { mutates: ['await f(a)', 'pass'], keeps: 'x = f(a)' },
  'remove-assignment': {
    mutates: ['x = 1\nx = a\na.b = x\nx += 1', 'x = 1\npass\na.b = x\nx += 1', 'x = 1\nx = a\npass\nx += 1', 'x = 1\nx = a\na.b = x\npass'],
    keeps: 'x, y = b',
  },
  'remove-statement': { mutates: ['if a: raise b', 'if a: pass'], keeps: 'return a' },
  'remove-try': {
    mutates: ['try:\n    with a:\n        b()\nexcept C:\n    d()', 'with a:\n    b()', 'try:\n    b()\nexcept C:\n    d()'],
    keeps: 'with a as x:\n    b(x)\ntry:\n    c()\nfinally:\n    d()',
  },
  'remove-return-value': { mutates: ['return a', 'return'], keeps: 'return None' },
  'remove-body': {
    at: 'top',
    mutates: [
      '@f(1)\ndef f(a: int = 1) -> int:\n    """Doc."""\n    b = a\n    return b == 1\n',
      '@f(1)\ndef f(a: int = 1) -> int:\n    """Doc."""\n    return False\n',
    ],
    keeps: 'def f(a):\n    """Doc."""\n    return a\n',
  },
  'swap-statements': { mutates: ['a.b = 1\na.b += c', 'a.b += c\na.b = 1'], keeps: 'x = 1\nx += 1' },
  'swap-bodies': {
    at: 'top',
    mutates: [
      'class A:\n    def f(self):\n        """Doc."""\n        return 1\n\n    def g(self):\n        self.h()\n        return 2\n',
      'class A:\n    def f(self):\n        """Doc."""\n        self.h()\n        return 2\n\n    def g(self):\n        return 1\n',
    ],
    keeps: 'class A:\n    def __init__(self):\n        a()\n\n    def g(self):\n        b()\n',
  },
  'drop-base-class': {
    at: 'top',
    mutates: ['class A(B, C, metaclass=D):\n    pass\n', 'class A(B, metaclass=D):\n    pass\n', 'class A(C, metaclass=D):\n    pass\n'],
    keeps: 'class A(object):\n    pass\n',
  },
};
