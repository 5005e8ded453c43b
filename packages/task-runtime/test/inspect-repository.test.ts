import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { inspectRepository } from '../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'tadpole-inspect-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const nodeModules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
let count = 0;

/** A folder with some files; a value that is no text is written as JSON. */
function layout(files: Readonly<Record<string, unknown>>): string {
  count += 1;
  const directory = join(folder, `r${count}`);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return directory;
}

const manifest = { name: 'sums', version: '1.2.3', license: 'MIT' };
const tape =
  "const test = require('tape'); const sums = require('../lib/sums'); test('adds', (t) => { t.equal(sums(1, 2), 3); t.end(); });";
const pytest = 'from sums import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n';
const python = 'def add(left, right):\n    return left + right\n';
const mit =
  'Permission is hereby granted, free of charge, to any person obtaining a copy of this software\n… The above copyright notice and this permission notice shall be included';

describe('the layouts of repositories', () => {
  it('takes a test folder beside the sources, hides it whole and leaves files that no test loads', async () => {
    const directory = layout({
      ...{ 'package.json': manifest, 'lib/sums.js': 'module.exports = (a, b) => a + b;', 'lib/unused.js': 'module.exports = 1;' },
      ...{ 'test/sums.js': tape, 'test/helpers/values.js': 'module.exports = [1];', 'eslint.config.js': 'module.exports = [];' },
    });
    expect(await inspectRepository({ directory, nodeModules })).toMatchObject({
      ...{ name: 'sums', version: '1.2.3', licence: 'MIT', runner: 'tape', languages: ['javascript'] },
      ...{ sourceFiles: ['lib/sums.js'], testFiles: ['test/sums.js'], hiddenPaths: ['test'], dropPaths: [] },
      dependencies: [{ name: 'tape', version: '5.9.0' }],
    });
  });

  it('takes tests inside a Python package, with the name of its metadata and the licence of a text', async () => {
    const directory = layout({
      ...{
        'sums-2.0.egg-info/PKG-INFO': 'Metadata-Version: 2.1\nName: sums\nVersion: 2.0\nLicense: BSD\n\nLicense: GPL-3.0\n',
        LICENSE: mit,
      },
      ...{ 'sums/__init__.py': 'from .core import add\n', 'sums/core.py': python, 'sums/tests/test_core.py': pytest },
      ...{ 'sums/tests/helpers.py': 'x = 1\n', 'setup.py': 'from setuptools import setup\nsetup(name="other")\n' },
    });
    expect(await inspectRepository({ directory })).toMatchObject({
      ...{ name: 'sums', version: '2.0', licence: 'MIT', runner: 'pytest', languages: ['python'] },
      ...{ sourceFiles: ['sums/__init__.py', 'sums/core.py'], testFiles: ['sums/tests/test_core.py'], hiddenPaths: ['sums/tests'] },
    });
  });

  it('takes a Python package of a src folder, described by pyproject.toml', async () => {
    const directory = layout({
      'pyproject.toml': '[project]\nname = "sums"\nversion = "3.1"\nlicense = "Apache-2.0"\n',
      ...{ 'src/sums/__init__.py': python, 'tests/test_sums.py': pytest, 'tests/conftest.py': '', 'docs/conf.py': 'x = 1\n' },
    });
    expect(await inspectRepository({ directory })).toMatchObject({
      ...{ version: '3.1', licence: 'Apache-2.0', sourceFiles: ['src/sums/__init__.py'], hiddenPaths: ['tests'] },
    });
  });

  it('takes tests that lie among TypeScript sources, and __tests__ folders', async () => {
    const vitest = "import { expect, it } from 'vitest';\nimport { add } from './add.js';\nit('adds', () => expect(add(1, 2)).toBe(3));";
    const directory = layout({
      ...{ 'package.json': { ...manifest, type: 'module' }, 'src/add.ts': 'export const add = (a: number, b: number) => a + b;' },
      ...{ 'src/add.test.ts': vitest, 'src/deep/__tests__/more.ts': vitest.replace('./add', '../../add'), 'src/add.d.ts': 'export {};' },
    });
    expect(await inspectRepository({ directory, nodeModules })).toMatchObject({
      ...{ runner: 'vitest', languages: ['typescript'], sourceFiles: ['src/add.ts'] },
      testFiles: ['src/add.test.ts', 'src/deep/__tests__/more.ts'],
      hiddenPaths: ['src/add.test.ts', 'src/deep/__tests__'],
    });
  });

  it('takes one test file at the root', async () => {
    const directory = layout({ 'package.json': manifest, 'index.js': 'module.exports = 1;', 'test.js': tape.replace('../lib/sums', './') });
    expect(await inspectRepository({ directory, nodeModules })).toMatchObject({ sourceFiles: ['index.js'], hiddenPaths: ['test.js'] });
  });

  it('refuses a folder of several packages and names them', async () => {
    const directory = layout({
      ...{ 'package.json': { name: 'all', private: true, workspaces: ['packages/*'] } },
      ...{ 'packages/a/package.json': manifest, 'packages/b/package.json': manifest, 'packages/a/test/a.js': tape },
    });
    const message = expect.stringContaining('it holds several packages; give one of them: packages/a, packages/b');
    await expect(inspectRepository({ directory, nodeModules })).rejects.toMatchObject({ code: 'invalid-input', message });
  });
});

describe('the test runner', () => {
  const source = { 'package.json': manifest, 'lib/sums.js': 'module.exports = 1;' };
  const globals = "const sums = require('../lib/sums');\ndescribe('sums', () => {\n  it('adds', () => { if (sums !== 1) throw 1; });\n});";
  it.each([
    ['node-test', { ...source, 'test/a.js': "const { test } = require('node:test'); require('../lib/sums');" }],
    ['mocha', { ...source, 'package.json': { ...manifest, scripts: { test: 'mocha test' } }, 'test/a.js': globals }],
    ['mocha', { ...source, 'test/a.js': globals }],
    ['jest', { ...source, 'package.json': { ...manifest, devDependencies: { jest: '*' } }, 'test/a.js': globals }],
    ['jest', { ...source, 'test/a.js': `${globals}\nexpect(sums).toBe(1);` }],
    ['vitest', { ...source, 'package.json': { ...manifest, scripts: { test: 'vitest' } }, 'test/a.js': globals }],
  ] as const)('is %s by imports, by the manifest, or by what globals are used', async (runner, files) => {
    expect((await inspectRepository({ directory: layout(files), nodeModules })).runner).toBe(runner);
  });

  it('refuses tests of a runner without a reporter, by its name', async () => {
    const directory = layout({ ...source, 'test/a.js': "import test from 'ava'; import '../lib/sums.js';" });
    await expect(inspectRepository({ directory })).rejects.toMatchObject({
      message: expect.stringContaining('its tests are written for ava'),
    });
  });

  it('does not list a test that another test loads, nor a helper without tests', async () => {
    const directory = layout({
      ...{ ...source, 'test/all.js': `${tape}\nrequire('./one');`, 'test/one.js': tape, 'test/helper.js': 'module.exports = {};' },
    });
    expect((await inspectRepository({ directory, nodeModules })).testFiles).toEqual(['test/all.js']);
  });
});

describe('what holds the answer', () => {
  const body = Array.from({ length: 12 }, (_, index) => `function part${index}(left, right) {\n  return left * ${index} + right;\n}`).join(
    '\n',
  );
  const files = {
    ...{ 'package.json': { ...manifest, main: 'lib/sums.js' }, 'lib/sums.js': `${body}\nmodule.exports = part1;`, 'test/sums.js': tape },
    ...{
      'dist/sums.js': body,
      'dist/sums.js.map': '{}',
      'sums.min.js': body.replaceAll('\n', ''),
      'browser.js': `// Made for browsers.\n${body}`,
    },
    'other.js': 'module.exports = { nothing: "alike", at: "all" };',
  };

  it('drops built folders, minified files, source maps and copies under any name', async () => {
    const found = await inspectRepository({ directory: layout(files), nodeModules });
    expect(found.dropPaths).toEqual(['browser.js', 'dist', 'sums.min.js']);
    expect(found.notes.join('\n')).toContain('browser.js is left out: it shares 100 % of its text with lib/sums.js');
  });

  it('takes the built copy as the source when that is what the tests load, and drops what it was built from', async () => {
    const directory = layout({
      ...{ ...files, 'package.json': { ...manifest, exports: { import: './dist/sums.mjs', require: './dist/sums.js' } } },
      ...{ 'dist/sums.mjs': body, 'test/sums.js': tape.replace('../lib/sums', 'sums') },
    });
    expect(await inspectRepository({ directory, nodeModules })).toMatchObject({
      sourceFiles: ['dist/sums.js'],
      dropPaths: ['browser.js', 'dist/sums.js.map', 'dist/sums.mjs', 'lib', 'sums.min.js'],
    });
  });

  it('drops the JavaScript beside TypeScript sources that a condition of exports leads the tests to', async () => {
    const directory = layout({
      'package.json': { ...manifest, exports: { '.': { '@sums/source': './src/index.ts', types: './index.d.ts', import: './index.js' } } },
      ...{ 'src/index.ts': 'export const one: number = 1;', 'index.js': 'export const one = 1;', 'index.d.ts': 'export {};' },
      'src/tests/one.test.ts':
        "import { expect, test } from 'vitest';\nimport { one } from 'sums';\ntest('one', () => expect(one).toBe(1));",
    });
    expect(await inspectRepository({ directory, nodeModules })).toMatchObject({
      ...{ sourceFiles: ['src/index.ts'], dropPaths: ['index.d.ts', 'index.js'] },
    });
  });

  it('refuses a Python package that the system has installed', async () => {
    const systemPackages = [join(layout({ 'dist-packages/sums/__init__.py': python }), 'dist-packages')];
    const directory = layout({ 'sums/__init__.py': python, 'tests/test_sums.py': pytest, LICENSE: mit });
    const refused = inspectRepository({ directory, systemPackages });
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('its module sums is installed') });
  });
});

describe('what is missing', () => {
  it('sets test files aside that need it, tells its range, and lets a try do without', async () => {
    const directory = layout({
      ...{ 'package.json': { ...manifest, devDependencies: { 'not-there': '^4.0.0' } }, 'test/sums.js': tape },
      'lib/sums.js': "let fast; try { fast = require('not-fast'); } catch {}\nmodule.exports = (a, b) => a + b;",
      'test/more.js': `const other = require('not-there');\n${tape}`,
    });
    const found = await inspectRepository({ directory, nodeModules });
    expect(found.testFiles).toEqual(['test/sums.js']);
    expect(found.missing).toEqual([
      { name: 'not-fast', neededBy: 'lib/sums.js', optional: true },
      { name: 'not-there', range: '^4.0.0', neededBy: 'test/more.js', optional: false },
    ]);
  });

  it('sets pytest files aside whose tests ask for a fixture that nobody defines', async () => {
    const directory = layout({
      ...{ 'sums.py': python, LICENSE: mit, 'tests/test_sums.py': pytest },
      'tests/conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef own():\n    return 1\n',
      'tests/test_speed.py': `${pytest.replace('test_adds()', 'test_speed(benchmark, own)')}`,
      'tests/test_own.py': `${pytest.replace('test_adds()', 'test_own(own, tmp_path)')}`,
    });
    expect((await inspectRepository({ directory })).testFiles).toEqual(['tests/test_own.py', 'tests/test_sums.py']);
  });

  it('lays Python packages that the system lacks beside the sources, with what they import', async () => {
    const pythonPackages = layout({
      ...{ 'wheels/__init__.py': 'import axles\n', 'axles.py': '', 'unrelated.py': '', 'wheels-1.0.dist-info/METADATA': 'Name: wheels\n' },
    });
    const directory = layout({ 'sums.py': `import wheels\n${python}`, LICENSE: mit, 'tests/test_sums.py': pytest });
    const found = await inspectRepository({ directory, pythonPackages });
    expect(found.pythonModules).toEqual(['axles.py', 'wheels', 'wheels-1.0.dist-info']);
    expect((await inspectRepository({ directory })).testFiles).toEqual([]);
  });
});

describe('the licence', () => {
  const files = { 'lib/sums.js': 'module.exports = 1;', 'test/sums.js': tape };
  const bsd = 'Redistribution and use in source and binary forms, with or without\nmodification … Neither the name of the copyright holder';
  it.each([
    ['(MIT OR Apache-2.0)', { license: '(MIT OR Apache-2.0)' }, {}],
    ['BSD-3-Clause', { license: 'SEE LICENSE IN LICENSE' }, { LICENSE: bsd }],
    ['ISC', { licenses: [{ type: 'ISC' }] }, {}],
    ['GPL-3.0-only', {}, { COPYING: 'GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007' }],
    [
      'BSD-2-Clause',
      {},
      { 'debian/copyright': 'Format: x\n\nFiles: *\nCopyright: me\nLicense: BSD-2-Clause\n\nFiles: debian/*\nLicense: GPL-2\n' },
    ],
    [undefined, { license: 'BSD' }, { 'README.md': 'MIT' }],
  ] as const)(
    '%s is read from the manifest, from a text by its phrases, or from a Debian copyright file',
    async (licence, stated, texts) => {
      const directory = layout({ ...files, ...texts, 'package.json': { name: 'sums', version: '1.0.0', ...stated } });
      const found = await inspectRepository({ directory, nodeModules });
      expect(found.licence).toBe(licence);
      if (licence === undefined) expect(found.notes.join()).toContain('no licence was found ("BSD" in package.json names none by itself)');
    },
  );
});

describe('hostile folders', () => {
  it('follows no link, and says so', async () => {
    const outside = layout({ 'secret.test.js': tape });
    const directory = layout({ 'package.json': manifest, 'lib/sums.js': 'module.exports = 1;', 'test/sums.js': tape });
    symlinkSync(outside, join(directory, 'test', 'linked'));
    symlinkSync('/etc/passwd', join(directory, 'LICENSE'));
    const found = await inspectRepository({ directory, nodeModules });
    expect(found.testFiles).toEqual(['test/sums.js']);
    expect(found.notes.join('\n')).toContain('"test/linked" is a link and was not followed');
  });

  it('passes over names that are no UTF-8 and code over the bound, and goes on', async () => {
    const directory = layout({ 'package.json': manifest, 'lib/sums.js': 'module.exports = 1;', 'test/sums.js': tape, 'lib/huge.js': '' });
    truncateSync(join(directory, 'lib/huge.js'), 3_000_000_000);
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/test/`), Buffer.from([0xff, 0xfe]), Buffer.from('.js')]), tape);
    const found = await inspectRepository({ directory, nodeModules });
    expect(found.testFiles).toEqual(['test/sums.js']);
    expect(found.notes.join('\n')).toMatch(/its name cannot stand in a path[\s\S]*lib\/huge\.js was not read/);
  });

  it.each(['{', '[]', '"text"', '{"name": 7, "scripts": [], "exports": {"a": {"b": 1}}, "workspaces": 3}', ''])(
    'reads a package.json that is %s as far as it goes',
    async (text) => {
      const directory = layout({ 'package.json': text, 'lib/sums.js': 'module.exports = 1;', 'test/sums.js': tape, LICENSE: mit });
      const found = await inspectRepository({ directory, nodeModules });
      expect(found).toMatchObject({ name: directory.split('/').at(-1), version: '0.0.0', licence: 'MIT', runner: 'tape' });
      expect(found.notes.join()).toContain("nothing states a name, so the folder's serves");
    },
  );

  it('refuses a folder without tests, an empty one and an absent one', async () => {
    const bare = layout({ 'package.json': manifest, 'lib/sums.js': '' });
    await expect(inspectRepository({ directory: bare })).rejects.toMatchObject({
      message: expect.stringContaining('no file was found that looks like a test'),
    });
    await expect(inspectRepository({ directory: join(bare, 'absent') })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('takes what the caller knows better, and refuses paths that lead out', async () => {
    const directory = layout({ 'package.json': manifest, 'lib/sums.js': 'module.exports = 1;', 'lib/b.js': '1;', 'test/sums.js': tape });
    const overrides = { licence: 'ISC', sourceFiles: ['lib/b.js'], version: '9.9.9' };
    expect(await inspectRepository({ directory, nodeModules, overrides })).toMatchObject(overrides);
    await expect(inspectRepository({ directory, overrides: { dropPaths: ['../x'] } })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('packages that are installed here', () => {
  it.each([
    ['fraction.js', 'mocha', ['dist/fraction.js'], ['tests']],
    ['fast-uri', 'tape', ['index.js', 'lib/schemes.js', 'lib/utils.js'], ['test', 'types/index.tst.ts']],
    ['bit-twiddle', 'tape', ['twiddle.js'], ['test']],
    ['sorted-array-functions', 'tape', ['index.js'], ['test.js']],
    ['functional-red-black-tree', 'tape', ['rbtree.js'], ['bench/test.js', 'test']],
    ['sat', 'mocha', ['SAT.js'], ['test']],
  ])('%s is described as a person describes it', async (name, runner, sourceFiles, hiddenPaths) => {
    expect(await inspectRepository({ directory: join(nodeModules, name), nodeModules })).toMatchObject({
      name,
      runner,
      sourceFiles,
      hiddenPaths,
    });
  });
});
