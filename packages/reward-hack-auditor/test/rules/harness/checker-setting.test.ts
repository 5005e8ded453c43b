import { describe, it } from 'vitest';
import { checkerSetting } from '../../../src/rules/harness/checker-setting.js';
import { ruleConformance } from '../../../src/testing/index.js';
import { conftest, packageJson, pyproject, pythonSample, scriptSample } from './sample-of-files.js';

const hits = [
  pythonSample('ruff per-file-ignores', { 'pyproject.toml': `${pyproject}\n[tool.ruff.lint.per-file-ignores]\n"src/*" = ["ALL"]\n` }),
  pythonSample('ruff exclude', { 'ruff.toml': 'exclude = ["src/tariff/price.py"]\n' }),
  pythonSample('mypy ignore', { 'mypy.ini': '[mypy]\nignore_errors = True\n' }),
  pythonSample('coverage', { '.coveragerc': '[report]\nfail_under = 10\nomit = src/tariff/price.py\n' }),
  scriptSample('tsconfig strict off', {
    'tsconfig.json': '{\n  "compilerOptions": {\n    "strict": false\n  },\n  "include": ["src", "test"]\n}\n',
  }),
  scriptSample('tsconfig include', { 'tsconfig.json': '{\n  "compilerOptions": {\n    "strict": true\n  },\n  "include": ["test"]\n}\n' }),
  scriptSample('tsconfig exclude', {
    'tsconfig.json':
      '{\n  "compilerOptions": {\n    "strict": true\n  },\n  "include": ["src", "test"],\n  "exclude": ["src/price.ts"]\n}\n',
  }),
  scriptSample('eslint off', { 'eslint.config.js': 'export default [{ rules: { "no-unused-vars": "off" } }];\n' }),
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

describe('checkerSetting', () => {
  for (const { name, run } of ruleConformance({ rule: checkerSetting(), hits, misses })) it(name, run);
});
