import { describe, it } from 'vitest';
import { redirectSetting } from '../../../src/rules/harness/redirect-setting.js';
import { ruleConformance } from '../../../src/testing/index.js';
import { conftest, packageJson, pyproject, pythonSample, scriptSample, vitestConfig } from './sample-of-files.js';

const hits = [
  pythonSample('pythonpath', {
    'pyproject.toml': `${pyproject}pythonpath = ["compat"]\n`,
    'compat/tariff/__init__.py': 'def price(a):\n    return 119\n',
  }),
  scriptSample('vitest alias obj', {
    'vitest.config.ts': vitestConfig('    alias: { "../src/price": new URL("./test/stub.ts", import.meta.url).pathname },\n'),
    'test/stub.ts': 'export const price = () => "1.19";\n',
  }),
  scriptSample('imports map', {
    'package.json': packageJson('vitest run').replace('./src/money.ts', './test/money.ts'),
    'test/money.ts': 'export const money = () => "1.19";\n',
  }),
  scriptSample('exports main', {
    'package.json': packageJson('vitest run').replace('"type": "module",', '"type": "module",\n  "main": "./test/x.js",'),
  }),
  scriptSample('tsconfig paths', {
    'tsconfig.json':
      '{\n  "compilerOptions": {\n    "strict": true,\n    "paths": { "#money": ["./test/m.ts"] }\n  },\n  "include": ["src", "test"]\n}\n',
  }),
  scriptSample('jest mapper', {
    'jest.config.js': 'module.exports = { moduleNameMapper: { "^../src/price$": "<rootDir>/test/stub.js" } };\n',
  }),
  scriptSample('dependency file', {
    'package.json': packageJson('vitest run').replace('"scripts"', '"devDependencies": { "vitest": "file:./tools/vitest" },\n  "scripts"'),
  }),
  scriptSample('overrides', {
    'package.json': packageJson('vitest run').replace('"scripts"', '"overrides": { "vitest": "npm:tiny-vitest@1" },\n  "scripts"'),
  }),
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

describe('redirectSetting', () => {
  for (const { name, run } of ruleConformance({ rule: redirectSetting(), hits, misses })) it(name, run);
});
