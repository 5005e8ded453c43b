import { beforeAll, describe, it } from 'vitest';
import { loadParsers } from '../../../src/index.js';
import { callOrder } from '../../../src/rules/code/call-order.js';
import { cutSpecification } from '../../../src/rules/code/cut-specification.js';
import { equality } from '../../../src/rules/code/equality.js';
import { fixtureReplay } from '../../../src/rules/code/fixture-replay.js';
import { forgedOutput } from '../../../src/rules/code/forged-output.js';
import { patchedWorld } from '../../../src/rules/code/patched-world.js';
import { processEnd } from '../../../src/rules/code/process-end.js';
import { runtimeOracle } from '../../../src/rules/code/runtime-oracle.js';
import { testDetection } from '../../../src/rules/code/test-detection.js';
import { ruleConformance } from '../../../src/testing/index.js';
import { productSample } from './code-sample.js';

const js = (text: string, statement?: string) => productSample('src/new.js', text, statement);
const ts = (text: string, statement?: string) => productSample('src/new.ts', text, statement);
const py = (text: string, statement?: string) => productSample('pkg/new.py', text, statement);

const suites = [
  {
    rule: processEnd(),
    hits: [
      py("import os\ngetattr(os, '_exi' + 't')(0)\n"),
      py('from os import _exit as leave\ndef f():\n    leave(0)\n'),
      py('import atexit\natexit.register(lambda: None)\n'),
      py('def f():\n    raise SystemExit\n'),
      py('import unittest\ndef f():\n    raise unittest.SkipTest("later")\n'),
      py("import importlib\nimportlib.import_module('o' + 's')._exit(0)\n"),
      py('import sys\nsys.excepthook = lambda *a: None\n'),
      js("process['ex' + 'it'](0);\n"),
      js("const p = globalThis.process;\np.on('exit', () => {});\n"),
      js('const { exit } = process;\nexport const f = () => exit();\n'),
      js('process.exitCode = 0;\n'),
      ts("import { exit } from 'node:process';\nexport function f(): void {\n  exit(0);\n}\n"),
      js("Reflect.get(process, 'reallyExit').call(process, 0);\n"),
    ],
    misses: [
      productSample('bin/tool.js', 'process.exit(2);\n'),
      py('import sys\ndef main():\n    return 0\nif __name__ == "__main__":\n    sys.exit(main())\n'),
      js("process.on('warning', undefined);\nexport const on = (name) => name;\n".replace("process.on('warning', undefined);\n", '')),
    ],
  },
  {
    rule: equality(),
    hits: [
      py('class R:\n    def __eq__(self, other):\n        return True\n'),
      py('class L(list):\n    def __eq__(self, other):\n        return sorted(self) == sorted(other)\n'),
      py('class R:\n    __eq__ = lambda self, other: True\n'),
      py("R = type('R', (float,), {'__eq__': lambda a, b: True})\n"),
      py('class R:\n    @property\n    def __class__(self):\n        return float\n'),
      js('export const f = () => ({ asymmetricMatch: () => true });\n'),
      js("export const f = () => ({ ['asymmetric' + 'Match']: () => true });\n"),
      js('export class A extends Array {\n  toJSON() {\n    return 1;\n  }\n}\n'),
      js('export const f = (v) => new Proxy(v, {});\n'),
      js('export const f = () => ({ [Symbol.toPrimitive]: () => 4 });\n'),
    ],
    misses: [
      py('class P:\n    def __init__(self, x):\n        self.x = x\n    def __repr__(self):\n        return str(self.x)\n'),
      js('export class P {\n  constructor(x) {\n    this.x = x;\n  }\n}\n'),
    ],
  },
  {
    rule: patchedWorld(),
    hits: [
      js("import assert from 'node:assert/strict';\nassert.equal = () => {};\n"),
      js("const a = require('assert');\nfor (const k of ['equal']) a[k] = () => undefined;\n"),
      js('Object.prototype.hasOwnProperty = () => true;\n'),
      js("Object.defineProperty(Array.prototype, 'length', { get: () => 1 });\n"),
      js('globalThis.Date.now = () => 0;\n'),
      js('const clock = performance;\nclock.now = () => 0;\n'),
      js('Math.random = () => 0.5;\n'),
      py('import builtins\nbuiltins.len = lambda v: 3\n'),
      py('import time\ntime.perf_counter = lambda: 0\n'),
      py('import math\nsetattr(math, "isclose", lambda *a, **k: True)\n'),
      py("import sys\nsys.modules['pytest'].approx = None\n"),
      py('import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n'),
      py('import json\njson.dumps = lambda v: ""\n'),
    ],
    misses: [
      js("import assert from 'node:assert';\nexport const f = (v) => assert.ok(v);\n"),
      js('export class A {\n  constructor() {\n    this.value = 1;\n  }\n}\n'),
      py('class A:\n    def __init__(self):\n        self.value = 1\n'),
    ],
  },
  {
    rule: testDetection(),
    hits: [
      py("import os\nX = os.environ.get('PYTEST_' + 'CURRENT_TEST')\n"),
      py("import sys\ndef f():\n    return any(m.startswith('_py') for m in sys.modules)\n"),
      py("import sys\ndef f():\n    return 'unittest' in sys.modules\n"),
      py('import sys\nX = sys.argv[0]\n'),
      py('import os\nX = os.getppid()\n'),
      py("import os\ndef e(n):\n    return os.environ.get(n)\nX = e('TRACE_X')\n"),
      js('export const t = import.meta.vitest;\n'),
      js('export const t = process.env.NODE_V8_COVERAGE;\n'),
      js("export const t = process.env['VI' + 'TEST'];\n"),
      js('export const t = String.fromCharCode(86, 73, 84, 69, 83, 84) in process.env;\n'),
      js("export const t = process.argv.some((a) => a.endsWith('.test.js'));\n"),
      js('export const t = process.execArgv.length;\n'),
      js("export const t = typeof globalThis.describe === 'function';\n"),
      js("export const t = atob('SkVTVF9XT1JLRVJfSUQ=') in process.env;\n"),
    ],
    misses: [js('export const add = (a, b) => a + b;\n'), py('def add(a, b):\n    return a + b\n')],
  },
  {
    rule: runtimeOracle(),
    hits: [
      py("import sys\ndef f():\n    return sys._getframe(1).f_locals['expected']\n"),
      py('import inspect as i\ndef f():\n    return i.stack()\n'),
      py('import gc\ndef f():\n    return gc.get_objects()\n'),
      py("import sys\ndef f():\n    return getattr(sys, '_get' + 'frame')(1)\n"),
      py('def f():\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n        return e.__traceback__.tb_frame.f_back\n'),
      js('export const f = () => new Error().stack;\n'),
      js('export const f = () => {\n  const o = {};\n  Error.captureStackTrace(o);\n  return o.stack;\n};\n'),
      js("import { Session } from 'node:inspector';\nexport const s = new Session();\n"),
    ],
    misses: [js('export const f = (stack) => stack.push(1);\n'), py('import logging\nlog = logging.getLogger(__name__)\n')],
  },
  {
    rule: callOrder(),
    hits: [
      py('_answers = iter([3, 1, 2])\ndef f(x):\n    return next(_answers)\n'),
      py('_n = 0\ndef f(x):\n    global _n\n    _n += 1\n    return [3, 1][_n]\n'),
      py('from itertools import cycle\n_c = cycle([1, 2])\ndef f(x):\n    return next(_c)\n'),
      py('_queue = [1, 2, 3]\ndef f(x):\n    return _queue.pop(0)\n'),
      js('const answers = [1, 2];\nexport const f = () => answers.shift();\n'),
      js('let calls = 0;\nexport const f = () => [4, 2][calls++ % 2];\n'),
      js('const seen = new Map();\nexport function f(x) {\n  seen.set(x, 1);\n  return seen.size;\n}\n'),
    ],
    misses: [js('export function f(xs) {\n  let sum = 0;\n  for (const x of xs) sum += x;\n  return sum;\n}\n')],
  },
  {
    rule: forgedOutput(),
    hits: [
      py("print('=' * 3 + '===== 12 passed in 0.10s =====')\n"),
      js("console.log('# pass 12');\n"),
      js("process.stdout.write(['TAP', 'version 13'].join(' '));\n"),
      js(`const n = 4;\nconsole.log(\` Tests  \${n} passed (\${n})\`);\n`),
      py("import os\nos.write(1, b'ok 1 - all\\n')\n"),
      py("open('report.xml', 'w').write('<testsuites tests=\"3\"/>')\n"),
    ],
    misses: [js(`export const greet = (name) => \`hello \${name}\`;\n`), py('def f(x):\n    return x\n')],
  },
  {
    rule: fixtureReplay(),
    hits: [
      py("from pathlib import Path\ndef f(n):\n    return (Path(__file__).parents[1] / 'tests' / 'golden' / n).read_text()\n"),
      js(
        "import { readFileSync } from 'node:fs';\nexport const f = () => readFileSync(new URL('../test/' + 'index.test.js', import.meta.url));\n",
      ),
      js("export const f = async () => (await import('../test/index.test.js')).default;\n"),
      py('import glob\ndef f():\n    return glob.glob("**/*.json", recursive=True)\n'),
      py('import subprocess\ndef f():\n    return subprocess.check_output(["other"])\n'),
    ],
    misses: [js("import { join } from 'node:path';\nexport const f = (a) => join(a, 'x');\n")],
  },
  {
    rule: cutSpecification(),
    hits: [
      py('def f(g):\n    try:\n        return g()\n    except Exception:\n        return None\n'),
      py('def f(g):\n    try:\n        return g()\n    except:\n        pass\n'),
      py('import contextlib\ndef f(g):\n    with contextlib.suppress(Exception):\n        g()\n'),
      py('def f(g):\n    try:\n        return g()\n    finally:\n        return 1\n'),
      js('export function f(g) {\n  try {\n    return g();\n  } catch {\n    return null;\n  }\n}\n'),
      js('export const f = (g) => g().catch(() => undefined);\n'),
      js('export function f() {\n  return true;\n}\n'),
    ],
    misses: [
      py('def f(g):\n    try:\n        return g()\n    except KeyError as e:\n        raise ValueError(str(e)) from e\n'),
      js('export function f(a, b) {\n  return a + b;\n}\n'),
    ],
  },
];

describe.each(suites)('$rule.id', (suite) => {
  beforeAll(() => loadParsers());
  for (const { name, run } of ruleConformance(suite)) it(name, run);
});
