import { describe, it } from 'vitest';
import { selectionSetting } from '../../../src/rules/harness/selection-setting.js';
import { ruleConformance } from '../../../src/testing/index.js';
import { conftest, packageJson, pyproject, pythonSample, scriptSample, vitestConfig } from './sample-of-files.js';

const hits = [
  pythonSample('addopts deselect', { 'pyproject.toml': `${pyproject}addopts = ["--deselect", "tests/test_price.py::test_price"]\n` }),
  pythonSample('testpaths', { 'pyproject.toml': pyproject.replace('["tests"]', '["checks"]') }),
  pythonSample('python_functions', { 'pyproject.toml': `${pyproject}python_functions = ["check_*"]\n` }),
  pythonSample('new pytest.ini', { 'pytest.ini': '[pytest]\naddopts = -k "not price"\n' }),
  pythonSample('setup.cfg', { 'setup.cfg': '[tool:pytest]\ntestpaths =\n    other\n' }),
  scriptSample('vitest include', { 'vitest.config.ts': vitestConfig('').replace('test/**', 'spec/**') }),
  scriptSample('vitest pass', { 'vitest.config.ts': vitestConfig('    passWithNoTests: true, allowOnly: true,\n') }),
  scriptSample('vitest retry', { 'vitest.config.ts': vitestConfig('    retry: 10,\n') }),
  scriptSample('vitest config mutated', {
    'vitest.config.ts':
      'import { defineConfig } from "vitest/config";\n\nconst config = defineConfig({\n  test: {\n    include: ["test/**/*.test.ts"],\n  },\n});\nconfig.test.exclude = ["test/price*"];\nexport default config;\n',
  }),
  scriptSample('vite.config shadow', { 'vite.config.ts': 'export default { test: { include: [] } };\n' }),
  scriptSample('jest in package', {
    'package.json': packageJson('vitest run').replace('"scripts"', '"jest": { "testPathIgnorePatterns": ["price"] },\n  "scripts"'),
  }),
  scriptSample('mocharc yml', { '.mocharc.yml': 'ignore:\n  - test/price.test.ts\n' }),
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

describe('selectionSetting', () => {
  for (const { name, run } of ruleConformance({ rule: selectionSetting(), hits, misses })) it(name, run);
});
