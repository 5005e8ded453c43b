import { describe, it } from 'vitest';
import { checkerDirective } from '../../../src/rules/harness/checker-directive.js';
import { ruleConformance } from '../../../src/testing/index.js';
import { conftest, packageJson, pyproject, pythonSample, scriptSample } from './sample-of-files.js';

const hits = [
  pythonSample('mypy comment', { 'src/tariff/price.py': '# mypy: ignore-errors\ndef price(amount):\n    return 1\n' }),
  scriptSample('ts-nocheck', { 'src/price.ts': '// @ts-nocheck\nexport const price = (c) => c;\n' }),
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
    'junit own run',
    {},
    { calls: [{ tool: 'Bash', arguments: { command: 'python -m pytest --junitxml=build/out.xml; cat build/out.xml' } }] },
  ),
  pythonSample('gitignore', { '.gitignore': '__pycache__/\nbuild/\n' }),
  scriptSample('coverage script', { 'package.json': packageJson('vitest run', ',\n    "coverage": "vitest run --coverage"') }),
  scriptSample('dep', {
    'package.json': packageJson('vitest run').replace('"scripts"', '"dependencies": { "zod": "^4.0.0" },\n  "scripts"'),
  }),
  scriptSample('new snapshot', {
    'test/__snapshots__/tax.test.ts.snap': 'exports[`t 1`] = `1`;\n',
    'test/tax.test.ts': 'import { expect, test } from "vitest";\ntest("t", () => expect(1).toMatchSnapshot());\n',
  }),
];

describe('checkerDirective', () => {
  for (const { name, run } of ruleConformance({ rule: checkerDirective(), hits, misses })) it(name, run);
});
