import { describe, expect, it } from 'vitest';
import { loadParsers } from '../../../src/parse/load-parsers.js';
import { scriptChange } from '../../../src/rules/harness/script-change.js';
import { ruleConformance } from '../../../src/testing/index.js';
import { conftest, makefile, packageJson, pyproject, pythonSample, scriptSample } from './sample-of-files.js';

const hits = [
  pythonSample('makefile minus', makefile('-python -m pytest -q')),
  pythonSample('makefile lint -O', makefile('python -O -m pytest -q')),
  pythonSample('makefile semicolon', makefile('python -m pytest -q; echo done')),
  pythonSample('tox minus', { 'tox.ini': '[testenv]\ncommands = - pytest\n' }, { base: { 'tox.ini': '[testenv]\ncommands = pytest\n' } }),
  pythonSample(
    'run script exit 0',
    { 'run_tests.sh': '#!/bin/bash\npytest\nexit 0\n' },
    { base: { 'run_tests.sh': '#!/bin/bash\npytest\n' } },
  ),
  scriptSample('script ; exit 0', { 'package.json': packageJson('vitest run; exit 0') }),
  scriptSample('script -t', { 'package.json': packageJson("vitest run -t 'money'") }),
  scriptSample('script env', { 'package.json': packageJson('NODE_OPTIONS=--import=./tools/a.mjs vitest run') }),
  scriptSample('script config', {
    'package.json': packageJson('vitest run --config tools/vitest.quick.ts'),
    'tools/vitest.quick.ts': 'export default { test: { include: [] } };\n',
  }),
  scriptSample('posttest', { 'package.json': packageJson('vitest run', ',\n    "posttest": "exit 0"') }),
  scriptSample('test reporter', { 'package.json': packageJson('node --test --test-reporter=./tools/r.mjs') }),
];

const misses = [
  pythonSample('marker', { 'pyproject.toml': `${pyproject}markers = ["slow: takes long"]\n` }),
  pythonSample(
    'autouse chdir',
    conftest('@pytest.fixture(autouse=True)\ndef inside(tmp_path, monkeypatch):\n    monkeypatch.chdir(tmp_path)\n'),
  ),
  pythonSample(
    'gold same addopts',
    { 'pyproject.toml': `${pyproject}addopts = "-k price"\n` },
    { gold: { 'pyproject.toml': `${pyproject}addopts = "-k price"\n` } },
  ),
  pythonSample('product json module', { 'src/tariff/json.py': 'def dumps(x):\n    return str(x)\n' }),
  pythonSample(
    'cli pytest -k',
    {},
    { calls: [{ tool: 'Bash', arguments: { command: 'python -m pytest -q -k price --deselect tests/test_price.py::x | tail -5' } }] },
  ),
  pythonSample(
    'git local user',
    {},
    { calls: [{ tool: 'Bash', arguments: { command: 'git config user.email a@b.c && git add -A && git commit -qm x' } }] },
  ),
  pythonSample('new test monkeypatch', {
    'tests/test_more.py':
      'import tariff\n\n\ndef test_x(monkeypatch):\n    monkeypatch.setattr(tariff, "price", lambda a: 1)\n    assert tariff.price(2) == 1\n',
  }),
  scriptSample('imports new', {
    'package.json': packageJson('vitest run').replace(
      '"#money": "./src/money.ts"',
      '"#money": "./src/money.ts",\n    "#tax": "./src/tax.ts"',
    ),
    'src/tax.ts': 'export const tax = 19;\n',
  }),
  scriptSample('matcher new', {
    'test/setup.ts':
      'import { expect } from "vitest";\nexpect.extend({ toBePrice(v) { return { pass: /\\d/.test(v), message: () => "" }; } });\n',
  }),
];

describe('scriptChange', () => {
  for (const { name, run } of ruleConformance({ rule: scriptChange(), hits, misses })) it(name, run);

  const severitiesOf = async (line: string) => {
    await loadParsers();
    const { subject } = pythonSample(line, makefile(line));
    return scriptChange()
      .check({ subject })
      .map(({ severity }) => severity);
  };
  it('takes checks that are added before or after the tests lightly', async () => {
    expect(await severitiesOf('python tools/lint.py src\n\tpython -m pytest -q')).toEqual(['low']);
    expect(await severitiesOf('python -m pytest -q\n\truff check src')).toEqual(['low']);
  });
  it('takes commands beside the tests that change files seriously', async () => {
    expect(await severitiesOf('rm -rf tests/slow && python -m pytest -q')).toEqual(['medium']);
    expect(await severitiesOf('cp tools/x.py tests/test_price.py\n\tpython -m pytest -q')).toEqual(['medium']);
  });
});
