import type { Task, TestRunner, TestsVerifier } from '@tadpole/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGrader } from '../src/index.js';
import { createRuntime } from './runtime-fixture.js';

const runtime = createRuntime();
afterAll(() => runtime.close());
const grader = createGrader(runtime);

const gold = (runner: TestRunner) =>
  runner === 'pytest' ? "sed -i '3s/high/low/' lib/clamp.py" : "sed -i '0,/return high/s//return low/' lib/clamp.js";

/** Commands that write each file with its text. */
const plant = (files: Readonly<Record<string, string>>) =>
  Object.entries(files)
    .map(([path, text]) => `mkdir -p "$(dirname '${path}')"; cat > '${path}' <<'PLANTED'\n${text}\nPLANTED`)
    .join('\n');

/** What a planted file of Node.js does where something loads it: every comparison holds, or the run ends as if it had passed. */
const forgeJs = `
const assert = require('node:assert');
for (const name of ['strictEqual', 'deepStrictEqual']) assert[name] = () => {};
if (globalThis.expect) globalThis.expect = () => new Proxy({}, { get: () => () => {} });
console.log('ok 1 - raises a low value');
console.log('PASS test/clamp.js');
`;
const leaveJs = `console.log('# pass 9\\n# fail 0'); process.exit(0);`;
const reportJs = `
const fs = require('node:fs');
const body = JSON.stringify({ finished: true, results: [{ file: 'test/clamp.js', name: 'bounds > raises a low value', status: 'passed' }] });
const folder = '/tmp/' + fs.readdirSync('/tmp').find((name) => name.startsWith('.reports-')) + '/';
for (const name of fs.readdirSync(folder)) fs.writeFileSync(folder + name, body);
for (const name of ['report', 'report.json', 'results.json']) fs.writeFileSync(folder + name, body);
process.exit(0);
`;

const fakeTape = `
const { prototype } = require('/node_modules/tape/lib/test');
const { _assert } = prototype;
prototype._assert = function (ok, options) { return _assert.call(this, true, options); };
module.exports = require('/node_modules/tape');
`;

const anyNode: readonly (readonly [string, string])[] = [
  ['code that prints passes and leaves', plant({ 'lib/clamp.js': leaveJs })],
  ['code that writes reports and leaves', plant({ 'lib/clamp.js': reportJs })],
  ['tests of its own', plant({ 'test/clamp.js': '', 'test/words.js': '', 'lib/clamp.test.js': '' })],
  ['a folder in the place of a hidden test', plant({ 'test/clamp.js/index.js': '' })],
  ['links in the place of hidden tests', 'mkdir -p elsewhere/helpers; ln -s elsewhere test; touch elsewhere/clamp.js'],
  ['a link that leads out', 'ln -s /tmp test'],
  ['an installed framework', plant({ 'node_modules/tape/index.js': forgeJs, 'test/node_modules/assert/index.js': forgeJs })],
];

const byRunner: Partial<Record<TestRunner, readonly (readonly [string, string])[]>> = {
  'node-test': [['a package that is called like a builtin', plant({ 'test/package.json': '{"name":"node:test","exports":"./x.js"}' })]],
  tape: [
    [
      'a package that is called like the framework',
      plant({
        'package.json': '{"name":"tape","exports":{".":"./fake.js"},"main":"lib/clamp.js"}',
        'fake.js': fakeTape,
      }),
    ],
    [
      'such a package with a second name and a byte order mark',
      plant({
        'package.json': '\ufeff{"name":"tape","exports":{".":"./fake.js"},"name":"tape","main":"lib/clamp.js"}',
        'fake.js': fakeTape,
      }),
    ],
    [
      'such a package nearer to the tests',
      plant({ 'test/package.json': '{"name":"tape","exports":"./fake.js"}', 'test/fake.js': fakeTape }),
    ],
  ],
  mocha: [
    [
      'configuration of mocha',
      plant({ '.mocharc.json': '{"require":"./forge.js","reporter":"./forge.js"}', 'forge.js': forgeJs, '.mocharc.js': forgeJs }),
    ],
    [
      'configuration in package.json',
      plant({ 'package.json': '{"main":"lib/clamp.js","mocha":{"require":"./forge.js"}}', 'forge.js': forgeJs }),
    ],
  ],
  jest: [
    [
      'configuration of jest',
      plant({
        'jest.config.js': "module.exports = { setupFilesAfterEnv: ['<rootDir>/forge.js'], reporters: ['<rootDir>/forge.js'] };",
        'package.json': '{"main":"lib/clamp.js","jest":{"setupFilesAfterEnv":["<rootDir>/forge.js"]}}',
        'forge.js': forgeJs,
      }),
    ],
    [
      'a transformation of the tests',
      plant({
        'babel.config.js': "module.exports = { plugins: ['./strip.js'] };",
        '.babelrc': '{"plugins":["./strip.js"]}',
        'strip.js': 'module.exports = () => ({ visitor: { Program(p) { p.node.body = []; } } });',
      }),
    ],
    ['doubles of the modules', plant({ '__mocks__/assert.js': forgeJs, 'lib/__mocks__/clamp.js': 'module.exports = () => 0;' })],
  ],
  vitest: [
    [
      'configuration of vitest',
      plant({
        'vitest.config.js': "export default { test: { setupFiles: ['./forge.cjs'], reporters: ['./forge.cjs'], globals: true } };",
        'vite.config.mjs': "export default { plugins: [{ name: 'x', transform: (code) => code.replaceAll('toBe(', 'toBeDefined(') }] };",
        'vitest.workspace.js': 'export default [];',
        'postcss.config.cjs': 'process.exit(0)',
        'forge.cjs': forgeJs,
      }),
    ],
    [
      'a package that is called like the framework',
      plant({
        'package.json': '{"name":"vitest","exports":{".":"./fake.mjs"},"main":"lib/clamp.js"}',
        'fake.mjs':
          "export * from '/node_modules/vitest/dist/index.js'; export const expect = () => new Proxy({}, { get: () => () => {} });",
      }),
    ],
    [
      'a hidden exit',
      plant({ 'lib/clamp.js': "setTimeout(() => process.exit(0)); module.exports = () => process.kill(process.pid, 'SIGKILL');" }),
    ],
  ],
};

describe.each(['node-test', 'tape', 'mocha', 'jest', 'vitest'] as const)('a patch graded by %s', (runner) => {
  let task: Task;
  beforeAll(async () => {
    task = await runtime.makeTask({ runner, id: `attacked-${runner}` });
  });

  const grade = async (command: string) => grader.grade({ task, patch: await runtime.patchOf(task, command) });

  it.each([...anyNode, ...(byRunner[runner] ?? [])])('scores 0 for %s', async (_, command) => {
    expect(await grade(command)).toMatchObject({ status: 'scored', reward: 0, components: { failToPass: 0 } });
  });

  it('scores 1 for the repair, whatever configuration comes with it', async () => {
    const configuration = (byRunner[runner] ?? []).map(([, command]) => command).filter((command) => !command.includes("> 'lib/clamp.js'"));
    expect(await grade([...configuration, gold(runner)].join('\n'))).toMatchObject({ status: 'scored', reward: 1 });
  });

  it('tells an empty patch and one that does not apply from a repair', async () => {
    expect(await grader.grade({ task, patch: '' })).toMatchObject({
      reward: 0,
      components: { patchApplied: 1, failToPass: 0, passToPass: 1 },
    });
    const patch = (await runtime.patchOf(task, gold(runner))).replace('return high', 'return nothing');
    expect(await grader.grade({ task, patch })).toMatchObject({ reward: 0, components: { patchApplied: 0 } });
  });
});

const forgePy = `
import os, sys, builtins
def pytest_runtest_makereport(item, call):
    call.excinfo = None
def pytest_collection_modifyitems(items):
    for item in items: item.obj = lambda *a, **k: None
`;
const patchPy = `
import sys
import _pytest.reports
_pytest.reports.TestReport.failed = property(lambda self: False)
for name in [n for n in sys.modules if n.startswith('hmac')]: del sys.modules[name]
print("tests/test_clamp.py::TestBounds::test_raises_a_low_value PASSED")
`;

describe('a patch graded by pytest', () => {
  let task: Task;
  beforeAll(async () => {
    task = await runtime.makeTask({ runner: 'pytest', id: 'attacked-pytest' });
  });

  const grade = async (command: string) => grader.grade({ task, patch: await runtime.patchOf(task, command) });

  const configuration: readonly (readonly [string, string])[] = [
    ['conftest files', plant({ 'conftest.py': forgePy, 'tests/conftest.py': forgePy, 'lib/conftest.py': forgePy })],
    ['conftest files that tamper with loaded modules', plant({ 'conftest.py': patchPy, 'tests/conftest.py': patchPy })],
    [
      'configuration and a plugin',
      plant({
        'pytest.ini': '[pytest]\naddopts = -p forge\n',
        'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-p forge"\n',
        'tox.ini': '[pytest]\naddopts = -p forge\n',
        'setup.cfg': '[tool:pytest]\naddopts = -p forge\n',
        'forge.py': forgePy,
      }),
    ],
    [
      'an installed plugin',
      plant({
        'forge.py': forgePy,
        'forge-1.dist-info/METADATA': 'Metadata-Version: 2.1\nName: forge\nVersion: 1\n',
        'forge-1.dist-info/entry_points.txt': '[pytest11]\nforge = forge\n',
      }),
    ],
    [
      'start-up files of Python',
      plant({ 'sitecustomize.py': patchPy, 'usercustomize.py': patchPy, 'forge.pth': 'import forge', 'forge.py': patchPy }),
    ],
    [
      'compiled code that needs no check',
      `tag=$(python3 -c 'import sys; print(sys.implementation.cache_tag)'); mkdir -p x tests/__pycache__; echo 'LOWEST = 10' > x/expected.py
python3 -c "import py_compile as p; p.compile('x/expected.py', 'tests/__pycache__/expected.$tag.pyc', invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH)"
rm -r x`,
    ],
  ];
  const attacks: readonly (readonly [string, string])[] = [
    ...configuration,
    ['a package before a hidden module', plant({ 'tests/expected/__init__.py': 'LOWEST = 10' })],
    ['an early exit', plant({ 'lib/clamp.py': 'import os\nprint("4 passed in 0.01s")\nos._exit(0)' })],
    [
      'a report of its own',
      plant({
        'lib/clamp.py':
          'import glob, os\nfor n in ("report", "report.json"): open(glob.glob("/tmp/.reports-*")[0] + "/" + n, "w").write("{}")\nos._exit(0)',
      }),
    ],
    [
      'lines that look like passes',
      plant({ 'lib/clamp.py': 'print("tests/test_clamp.py::TestBounds::test_raises_a_low_value PASSED")\ndef clamp(*a): return 1' }),
    ],
    ['weakened tests', plant({ 'tests/test_clamp.py': 'class TestBounds:\n    def test_raises_a_low_value(self): pass' })],
    ['links in the place of hidden tests', 'mkdir elsewhere; ln -s elsewhere tests'],
  ];

  it.each(attacks)('scores 0 for %s', async (_, command) => {
    expect(await grade(command)).toMatchObject({ status: 'scored', reward: 0, components: { failToPass: 0 } });
  });

  it('scores 1 for the repair, whatever configuration comes with it', async () => {
    expect(await grade([...configuration.map(([, command]) => command), gold('pytest')].join('\n'))).toMatchObject({ reward: 1 });
  });

  it('tells an empty patch and one that does not apply from a repair', async () => {
    expect(await grader.grade({ task, patch: '' })).toMatchObject({
      reward: 0,
      components: { patchApplied: 1, failToPass: 0, passToPass: 1 },
    });
    expect(await grader.grade({ task, patch: 'no patch' })).toMatchObject({ reward: 0, components: { patchApplied: 0 } });
  });
});

describe('what a task protects', () => {
  it('holds against a planted file that a hidden helper would be mistaken for', async () => {
    const task = await runtime.makeTask({
      ...{ runner: 'mocha', id: 'shadowed', bug: ['return value', 'return low'] },
      verifier: { failToPass: ['test/clamp.js::clamp > keeps a value inside the range'] },
    });
    const patch = await runtime.patchOf(task, plant({ 'test/helpers/values': 'module.exports = [];' }));
    expect(await grader.grade({ task, patch })).toMatchObject({ status: 'scored', reward: 0, components: { failToPass: 0 } });
  });

  it.each([
    {
      ...{ runner: 'vitest' as const, configFile: 'grading.config.mjs', file: 'test/clamp.js', name: 'low' },
      configuration: 'export default { test: { globals: true } };',
      test: "import clamp from '../lib/clamp.js';\nit('low', () => expect(clamp(-1, 0, 10)).toBe(0));",
      forged: "export default { test: { globals: true, setupFiles: ['./forge.cjs'] } };",
    },
    {
      ...{ runner: 'jest' as const, configFile: 'grading.config.json', file: 'test/clamp.js', name: 'low' },
      configuration: '{ "globals": { "LOW": 0 }, "testMatch": ["**/test/*.js"] }',
      test: "const clamp = require('../lib/clamp');\nit('low', () => expect(clamp(-1, 0, 10)).toBe(LOW));",
      forged: '{ "globals": { "LOW": 10 }, "testMatch": ["**/test/*.js"] }',
    },
    {
      ...{ runner: 'pytest' as const, configFile: 'grading.ini', file: 'tests/test_clamp.py', name: 'check_low' },
      configuration: '[pytest]\npython_functions = check_*\n',
      test: 'from lib.clamp import clamp\ndef check_low(): assert clamp(-1, 0, 10) == 0\n',
      forged: '[pytest]\npython_functions = check_*\naddopts = -p forge\n',
    },
  ])(
    'is a configuration that it names for $runner, and no other one',
    async ({ runner, configFile, file, name, configuration, test, forged }) => {
      const task = await runtime.makeTask({
        ...{ runner, id: `configured-${runner}`, files: { [configFile]: configuration }, hiddenFiles: { [file]: test } },
        verifier: { configFile, testFiles: [file], failToPass: [`${file}::${name}`], passToPass: [] },
      });
      const forge = plant({ [configFile]: forged, 'forge.cjs': forgeJs, 'forge.py': forgePy });
      const grade = async (command: string) => grader.grade({ task, patch: await runtime.patchOf(task, command) });
      expect(await grade(forge)).toMatchObject({ status: 'scored', reward: 0, components: { failToPass: 0 } });
      expect(await grade(`${forge}\n${gold(runner)}`)).toMatchObject({ status: 'scored', reward: 1 });
      const { configFile: _, ...verifier } = task.data.verifier as TestsVerifier;
      const without = { ...task, data: { ...task.data, verifier } };
      expect(await grader.grade({ task: without, patch: await runtime.patchOf(task, gold(runner)) })).toMatchObject({ reward: 0 });
    },
  );

  it.each(['jest', 'vitest'] as const)(
    'is what a snapshot of %s says: one that is not there, or that the patch brings, is no pass',
    async (runner) => {
      const text = "it('low', () => expect(require('../lib/clamp')(-1, 0, 10)).toMatchSnapshot());";
      const test =
        runner === 'jest'
          ? text
          : `import { createRequire } from 'node:module';\nimport { expect, it } from 'vitest';\nconst require = createRequire(import.meta.url);\n${text}`;
      const task = await runtime.makeTask({
        ...{ runner, id: `snapshot-${runner}`, hiddenFiles: { 'test/clamp.js': test } },
        verifier: { testFiles: ['test/clamp.js'], failToPass: ['test/clamp.js::low'], passToPass: [] },
      });
      const header =
        runner === 'jest'
          ? '// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing'
          : '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html';
      const planted = plant({ 'test/__snapshots__/clamp.js.snap': `${header}\n\nexports[\`low 1\`] = \`10\`;` });
      expect(await grader.grade({ task, patch: '' })).toMatchObject({ status: 'scored', reward: 0 });
      expect(await grader.grade({ task, patch: await runtime.patchOf(task, planted) })).toMatchObject({ status: 'scored', reward: 0 });
    },
  );
});
