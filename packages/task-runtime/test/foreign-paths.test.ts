import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  readCertificate,
  readSweBenchInstances,
  readTask,
  type SweSmithInstance,
  writeSweBenchPredictions,
  writeSweBenchTask,
  writeSweSmithTask,
  writeTask,
} from '../src/index.js';
import { limits } from './runtime-fixture.js';

const root = mkdtempSync(join(tmpdir(), 'tadpole-paths-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder: string;
let count = 0;
const lay = (path: string, text: string): string => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
};
const link = (path: string, to: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(to, join(folder, path));
};
beforeEach(() => {
  folder = join(root, `${count++}`);
  lay('host/secret.py', 'precious\n');
});

/** The added file of a patch that is a link. */
const linkPatch = (path: string, to: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 120000\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${to}\n\\ No newline at end of file\n`;
const bug = 'diff --git a/m.py b/m.py\n--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n';

describe('an instance', () => {
  function instance(change: Partial<SweSmithInstance>) {
    lay('repository/m.py', 'x = 1\n');
    lay('repository/tests/test_m.py', 'def test_a(): pass\n');
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...words], { cwd: join(folder, 'repository') });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'Base');
    const given: SweSmithInstance = {
      ...{ instance_id: 'a__b-1', repo: `a/b.${String(git('rev-parse', 'HEAD')).trim()}`, patch: bug, problem_statement: 'It fails.' },
      ...{ FAIL_TO_PASS: ['tests/test_m.py::test_a'], PASS_TO_PASS: ['m.py::test_b'], ...change },
    };
    return { instance: given, repository: join(folder, 'repository'), limits, timeoutMs: 1000, into: join(folder, 'tasks') };
  }
  const bench = (change: Partial<SweSmithInstance>, testPatch: string) => {
    const options = instance(change);
    return { ...options, instance: { ...options.instance, base_commit: options.instance.repo.slice(4), test_patch: testPatch } };
  };

  it('moves no file from behind a link that its patch makes', async () => {
    const options = instance({ patch: bug + linkPatch('t', join(folder, 'host')), FAIL_TO_PASS: ['t/secret.py::test_a'] });
    await expect(writeSweSmithTask(options)).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('link') });
    expect(readFileSync(join(folder, 'host/secret.py'), 'utf8')).toBe('precious\n');
  });

  it('makes no folder outside for a test id that leads there', async () => {
    const outside = relative(join(tmpdir(), 'tadpole-import-XXXXXX/hidden'), join(folder, 'made'));
    const written = writeSweSmithTask(instance({ FAIL_TO_PASS: [`${outside}/x.py::test_a`] }));
    await expect(written).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('no path in the workspace') });
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });

  it('takes no commit for an option of git', async () => {
    const options = instance({ base_commit: `--index-output=${folder}/made` });
    await expect(writeSweSmithTask(options)).rejects.toMatchObject({ code: 'invalid-input' });
    expect(readdirSync(folder).filter((name) => name.startsWith('made'))).toEqual([]);
  });

  it('hides no link', async () => {
    const hidden = bench({ FAIL_TO_PASS: ['tests/l.py::test_a'] }, linkPatch('tests/l.py', join(folder, 'host/secret.py')));
    await expect(writeSweBenchTask(hidden)).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('link') });
  });

  it('does not replace one whose id differs in case only, and replaces itself', async () => {
    const options = instance({ instance_id: 'Foo__bar-1' });
    const task = await writeSweSmithTask(options);
    expect(await writeSweSmithTask(options)).toEqual(task);
    const other = writeSweSmithTask({ ...options, instance: { ...options.instance, instance_id: 'foo__bar-1' } });
    await expect(other).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('Foo__bar-1') });
    expect((await readTask(task.directory)).data.lineage).toMatchObject({ instanceId: 'Foo__bar-1' });
  });
});

describe('writing a task', () => {
  const data = (instruction: string) => ({
    ...{ id: 'x', instruction, environment: { dependencies: [] }, limits },
    verifier: { kind: 'script' as const, timeoutMs: 1000, env: {} },
    lineage: { kind: 'imported' as const, format: 'harbor' as const, instanceId: 'x', notCarried: [] },
  });
  function request() {
    lay('workspace/a.js', '1');
    lay('hidden/test.sh', 'exit 0');
    return {
      ...{ data: data('Do it.'), workspace: join(folder, 'workspace'), into: join(folder, 'tasks') },
      hiddenFiles: { directory: join(folder, 'hidden'), paths: ['test.sh'] },
    };
  }

  it.each([
    ['a hidden file that is a link', 'hidden/l', 'l'],
    ['a hidden file behind a link', 'hidden/d', 'd/secret.py'],
  ])('refuses %s', async (_what, at, path) => {
    const given = request();
    link(at, join(folder, path === 'l' ? 'host/secret.py' : 'host'));
    const written = writeTask({ ...given, hiddenFiles: { ...given.hiddenFiles, paths: ['test.sh', path] } });
    await expect(written).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('link') });
  });

  it('writes its gold patch and modes over links of a solution, not through them', async () => {
    const given = request();
    const host = join(folder, 'host/secret.py');
    link('solution/answer/gold.patch', host);
    link('solution/answer/solve.sh', host);
    const before = statSync(host).mode;
    const solutionFiles = { directory: join(folder, 'solution/answer'), paths: ['.'] };
    await writeTask({ ...given, solutionFiles });
    expect(statSync(host).mode).toBe(before);
    lay('workspace/m.py', 'x = 1\n');
    const task = await writeTask({ ...given, solutionFiles, goldPatch: bug });
    expect(readFileSync(host, 'utf8')).toBe('precious\n');
    expect(readFileSync(join(task.directory, 'solution/gold.patch'), 'utf8')).toBe(bug);
  });

  it('copies no protected file from behind a link of the workspace', async () => {
    const given = request();
    lay('hidden/test/a.js', 'a');
    link('workspace/shared', join(folder, 'host'));
    const verifier = {
      ...{ kind: 'tests' as const, runner: 'mocha' as const, testFiles: ['test/a.js'], failToPass: ['test/a.js::a'], passToPass: [] },
      ...{ protectedPaths: ['shared/secret.py'], timeoutMs: 1000 },
    };
    const hiddenFiles = { ...given.hiddenFiles, paths: ['test'] };
    const task = await writeTask({ ...given, data: { ...given.data, verifier }, hiddenFiles });
    expect(existsSync(join(task.directory, 'tests/protected/shared'))).toBe(false);
  });

  it('copies the workspace that a link leads to, not the link', async () => {
    const given = request();
    link('linked', given.workspace);
    const task = await writeTask({ ...given, workspace: join(folder, 'linked') });
    expect(lstatSync(join(task.directory, 'environment/workspace')).isDirectory()).toBe(true);
    expect(readFileSync(join(task.directory, 'environment/workspace/a.js'), 'utf8')).toBe('1');
  });

  it('several times at once keeps one whole folder and nothing else', async () => {
    const given = request();
    const texts = ['one', 'two', 'three', 'four', 'five'];
    await Promise.all(texts.map((text) => writeTask({ ...given, data: data(text) })));
    expect(readdirSync(given.into)).toEqual(['x']);
    expect(texts).toContain((await readTask(join(given.into, 'x'))).data.instruction);
  });
});

describe('reading a task', () => {
  const manifest = 'schema_version = "1.0"\n';
  function task(files: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries({ 'tests/test.sh': 'exit 0', 'task.toml': manifest, ...files })) lay(`task/${path}`, text);
    return join(folder, 'task');
  }

  it.each([
    ['instruction.md', 'host/secret.py'],
    ['environment', 'host'],
    ['solution', 'host'],
  ])('refuses %s where it is a link', async (path, to) => {
    const directory = task(path === 'instruction.md' ? {} : { 'instruction.md': 'Do it.' });
    link(`task/${path}`, join(folder, to));
    await expect(readTask(directory)).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('link') });
  });

  it('refuses a FIFO, a folder and a file without bounds in the place of a text', async () => {
    const directory = task();
    const refused = () => expect(readTask(directory)).rejects.toMatchObject({ code: 'invalid-input' });
    execFileSync('bash', ['-c', 'mkfifo instruction.md'], { cwd: directory });
    await refused();
    rmSync(join(directory, 'instruction.md'));
    mkdirSync(join(directory, 'instruction.md'));
    await refused();
    rmSync(join(directory, 'instruction.md'), { recursive: true });
    lay('task/instruction.md', 'x'.repeat(16_777_217));
    await refused();
    execFileSync('bash', ['-c', 'mkfifo certificate.json'], { cwd: directory });
    await expect(readCertificate(directory)).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('takes a byte order mark', async () => {
    const directory = task({ 'instruction.md': 'Do it.', 'task.toml': `\ufeff${manifest}` });
    expect((await readTask(directory)).data.instruction).toBe('Do it.');
    const certificate = { taskId: 'x', gates: [], hiddenTestsHash: 'h' };
    lay('task/certificate.json', `\ufeff${JSON.stringify(certificate)}`);
    expect(await readCertificate(directory)).toMatchObject({ taskId: 'x' });
    const one = {
      ...{ instance_id: 'a', repo: 'a/b', base_commit: '0123456', patch: 'p', test_patch: 't', problem_statement: 's' },
      ...{ FAIL_TO_PASS: [], PASS_TO_PASS: [] },
    };
    for (const text of [JSON.stringify(one), JSON.stringify([one])])
      expect(await readSweBenchInstances(lay('lines', `\ufeff${text}`))).toEqual([one]);
  });

  it('reports a date at the top of the manifest, and refuses keys deeper than the stack', async () => {
    const directory = task({ 'instruction.md': 'Do it.', 'task.toml': `${manifest}made = 2020-01-02\n` });
    expect((await readTask(directory)).data.lineage).toMatchObject({ notCarried: ['task.toml: made = "2020-01-02"'] });
    lay('task/task.toml', `${manifest}${'a.'.repeat(20_000)}a = 1\n`);
    await expect(readTask(directory)).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('TOML') });
  });
});

describe('predictions', () => {
  it('are written at once to one file by several calls', async () => {
    const file = join(folder, 'predictions.jsonl');
    const predictions = [{ instance_id: 'a', model_name_or_path: 'm', model_patch: '' }];
    await Promise.all([1, 2, 3].map(() => writeSweBenchPredictions({ file, predictions })));
    expect(readdirSync(folder).sort()).toEqual(['host', 'predictions.jsonl']);
  });
});

it('takes the folder of a foreign task from its Dockerfile where the manifest names none, and no reference for a value', async () => {
  const reference = ['$', '{OPENAI_API_KEY}'].join('');
  const directory = mkdtempSync(join(tmpdir(), 'tadpole-foreign-'));
  for (const name of ['environment/workspace', 'tests']) mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(join(directory, 'task.toml'), `version = "1.0"\n[verifier.env]\nKEY = "${reference}"\nPLAIN = "value"\n`);
  writeFileSync(join(directory, 'instruction.md'), 'Repair it.');
  writeFileSync(join(directory, 'tests/test.sh'), 'true\n');
  writeFileSync(join(directory, 'environment/Dockerfile'), 'FROM scratch AS one\nWORKDIR /one\nFROM scratch\nworkdir /app/\nWORKDIR src\n');
  const { data } = await readTask(directory);
  expect(data.environment.workspacePath).toBe('/app');
  expect(data.verifier).toMatchObject({ kind: 'script', env: { PLAIN: 'value' } });
  expect(data.lineage).toMatchObject({ notCarried: expect.arrayContaining([`task.toml: verifier.env.KEY = "${reference}"`]) });
  rmSync(directory, { recursive: true, force: true });
});
