import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Task } from '@tadpole/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createGrader,
  lintTestIds,
  openTaskSandbox,
  readSweBenchInstances,
  readSweBenchPredictions,
  readSweSmithInstances,
  readTask,
  type SweBenchInstance,
  type SweSmithInstance,
  writeSweBenchPredictions,
  writeSweBenchTask,
  writeSweSmithTask,
} from '../src/index.js';
import { createRuntime, fixture, limits } from './runtime-fixture.js';

const runtime = createRuntime();
afterAll(() => runtime.close());

const repository = join(runtime.folder, 'repository');
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...words], { cwd: repository, encoding: 'utf8' });
const write = (name: string, text: string) => {
  const file = join(runtime.folder, name);
  writeFileSync(file, text);
  return file;
};

const bounds = 'tests/test_clamp.py::TestBounds::';
const lowers = [`${bounds}test_lowers_a_high_value[just above [10]]`, `${bounds}test_lowers_a_high_value[\\xfcn\\xefcode ]`];
const words = 'tests/test_words.py::test_splits_at_blanks';

/** SWE-bench: the fix adds the upper bound, the test patch its tests; a later commit holds the answer. */
let bench: SweBenchInstance;
/** SWE-smith: the bug takes the upper bound out of the finished package. */
let smith: SweSmithInstance;

beforeAll(() => {
  cpSync(fixture('pytest'), repository, { recursive: true });
  git('init', '-q', '-b', 'main');
  const commit = (message: string) => {
    git('add', '-A');
    git('commit', '-q', '-m', message);
    return git('rev-parse', 'HEAD').trim();
  };
  const [source, tests] = ['lib/clamp.py', 'tests/test_clamp.py'];
  const finished = { [source]: readFileSync(join(repository, source), 'utf8'), [tests]: readFileSync(join(repository, tests), 'utf8') };
  writeFileSync(join(repository, source), (finished[source] as string).replace('    if value > high:\n        return high\n', ''));
  writeFileSync(join(repository, tests), (finished[tests] as string).replace(/ {4}@pytest.mark.parametrize[\s\S]*?{"value": 10}\n/, ''));
  const base = commit('Clamp below');
  for (const [path, text] of Object.entries(finished)) writeFileSync(join(repository, path), text);
  const solved = commit('Clamp above');
  writeFileSync(join(repository, 'untracked.txt'), 'never committed');
  bench = {
    ...{
      instance_id: 'Example__clamp-2',
      repo: 'example/clamp',
      base_commit: base,
      version: '1.0',
      hints_text: 'Look at the upper bound.',
    },
    ...{ patch: git('diff', base, solved, '--', 'lib'), test_patch: git('diff', base, solved, '--', 'tests') },
    ...{
      problem_statement: 'clamp ignores its upper bound.',
      FAIL_TO_PASS: lowers,
      PASS_TO_PASS: [words, `${bounds}test_raises_a_low_value`],
    },
  };
  smith = {
    ...{
      instance_id: 'example__clamp.bug__1',
      repo: `swesmith/example__clamp.${solved.slice(0, 8)}`,
      problem_statement: 'clamp ignores its upper bound.',
    },
    ...{
      patch: git('diff', solved, base, '--', 'lib'),
      image_name: 'registry.example.org/clamp:1',
      FAIL_TO_PASS: lowers,
      PASS_TO_PASS: [words],
    },
  };
});

describe('instances', () => {
  it('are read from JSON lines and from a JSON array, with test ids as lists or as JSON text, and keep every other field', async () => {
    const { FAIL_TO_PASS, PASS_TO_PASS, ...rest } = bench;
    const texts = {
      ...rest,
      FAIL_TO_PASS: JSON.stringify(FAIL_TO_PASS),
      PASS_TO_PASS: JSON.stringify(PASS_TO_PASS),
      difficulty: '<15 min fix',
    };
    const expected = [{ ...bench, difficulty: '<15 min fix' }];
    for (const text of [`${JSON.stringify(texts)}\n\n`, JSON.stringify(expected), `\n ${JSON.stringify([texts], null, 2)}`])
      expect(await readSweBenchInstances(write('instances', text))).toEqual(expected);
    expect(await readSweSmithInstances(write('instances', JSON.stringify(smith)))).toEqual([smith]);
  });

  it('are read from files as their data sets hold them', async () => {
    const file = (name: string) => fileURLToPath(new URL(`./fixtures/swe/${name}`, import.meta.url));
    const [verified] = await readSweBenchInstances(file('verified.jsonl'));
    expect(verified).toMatchObject({ FAIL_TO_PASS: ['tests/test_a.py::test_b[x y]'], PASS_TO_PASS: [], difficulty: '15 min - 1 hour' });
    const smiths = await readSweSmithInstances(file('smith.jsonl'));
    expect(smiths.map(({ problem_statement }) => problem_statement)).toEqual(['It fails.', '']);
  });

  it.each([
    ['a line that is no JSON', (good: string) => `${good}\n{\n`, ':2 JSON'],
    [
      'a missing field',
      (good: string) => `\n${good.replace('"base_commit"', '"commit"')}\n`,
      ':2 a SWE-bench instance, got:\n✖ Invalid input: expected string, received undefined\n  → at base_commit',
    ],
    ['test ids of another form', (good: string) => good.replace('"FAIL_TO_PASS":[', '"FAIL_TO_PASS":"no list","x":['), 'FAIL_TO_PASS'],
    ['two of one id', (good: string) => `${good}\n${good}`, ':1'],
    ['a broken array', (good: string) => `[${good}`, 'JSON'],
  ])('are refused with file and line for %s', async (_, spoil, place) => {
    const read = readSweBenchInstances(write('spoiled.jsonl', spoil(JSON.stringify(bench))));
    await expect(read).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining(place) });
    await expect(read).rejects.toThrow('spoiled.jsonl');
  });
});

describe('test ids', () => {
  it.each([
    ['tests/test_a.py::test_b'],
    ['tests/test_a.py::TestC::test_b[x y]'],
    ['tests/test_a.py::test_b[x ]'],
    ['tests/test_a.py::test_b[[a]-...]'],
    ['tests/test_a.py::test_b[a::b\nc]'],
    ['a b/test_ü.py::test_ü'],
    [`tests/test_a.py::test_b[${'x'.repeat(5000)}]`],
  ])('that pytest emits are let through: %j', (id) => {
    expect(lintTestIds({ ids: [id], runner: 'pytest' })).toEqual([]);
  });

  it.each([
    ['tests/test_a.py::test_b[x', 'cut off'],
    ['tests/test_a.py::test_b[[a]-', 'cut off'],
    ['tests/test_a.py::test_b...', 'such a name'],
    ['tests/test_a.py::test_b ', 'such a name'],
    ['tests/test_a.py::', 'no test'],
    ['tests/test_a.py', 'no file'],
    ['test_b (app.tests.TestC)', 'no file'],
    ['tests/test_a.py ::test_b', 'no path'],
    ['/testbed/test_a.py::test_b', 'no path'],
    ['tests/test_a.js::test_b', 'Python'],
  ])('that pytest never emits are found: %j', (id, problem) => {
    expect(lintTestIds({ ids: [id], runner: 'pytest' })).toEqual([{ id, problem: expect.stringContaining(problem) }]);
  });

  it('given twice are found, and titles of other runners may hold anything', () => {
    expect(lintTestIds({ ids: ['a.js::b', 'a.js::b'], runner: 'jest' })).toEqual([{ id: 'a.js::b', problem: 'it is named twice' }]);
    expect(lintTestIds({ ids: ['a.js::returns [ …', 'a.js::x::y ', 'a.js::...'], runner: 'jest' })).toEqual([]);
  });
});

describe('a task from an instance', () => {
  const grader = createGrader(runtime);
  const options = () => ({ repository, limits, timeoutMs: 20_000, into: join(runtime.folder, 'tasks') });
  const goldOf = (task: Task) => readFileSync(join(task.directory, 'solution/gold.patch'), 'utf8');

  it.each(['swe-bench', 'swe-smith'] as const)('of %s scores 1 for its gold patch and 0 for an empty one', async (format) => {
    const task =
      format === 'swe-bench'
        ? await writeSweBenchTask({ ...options(), instance: bench })
        : await writeSweSmithTask({ ...options(), instance: smith });
    // The embedded sandbox has no images.
    const { image: _, ...environment } = task.data.environment;
    const local = { ...task, data: { ...task.data, environment } };
    expect(await grader.grade({ task: local, patch: goldOf(task) })).toMatchObject({ status: 'scored', reward: 1 });
    const empty = await grader.grade({ task: local, patch: '' });
    expect(empty).toMatchObject({ reward: 0, components: { failToPass: 0, passToPass: 1 } });
    expect((await readTask(task.directory)).data).toEqual(task.data);
  });

  it('of SWE-bench is graded by the visible tests as they were, whatever a patch does to them', async () => {
    const task = await writeSweBenchTask({ ...options(), instance: bench });
    const solve = "sed -i 's/    return value/    return min(value, high)/' lib/clamp.py";
    const grade = async (command: string) => grader.grade({ task, patch: await runtime.patchOf(task, command) });
    expect(await grade(`${solve}; rm -r tests`)).toMatchObject({ reward: 1 });
    const weakened = `${solve}; echo 'def words(text): return []' > lib/words.py; echo 'def test_splits_at_blanks(): pass' > tests/test_words.py`;
    expect(await grade(weakened)).toMatchObject({ reward: 0, components: { failToPass: 1, passToPass: 0.5 } });
  });

  it('of SWE-bench shows the agent its commit alone: no history, no later file, the tests in their older form', async () => {
    const task = await writeSweBenchTask({ ...options(), instance: bench });
    expect(task.data).toMatchObject({
      ...{ id: 'example__clamp-2', instruction: bench.problem_statement, environment: { dependencies: [], workspacePath: '/workspace' } },
      verifier: { kind: 'tests', runner: 'pytest', testFiles: ['tests/test_clamp.py', 'tests/test_words.py'], failToPass: lowers },
      lineage: {
        ...{ kind: 'imported', format: 'swe-bench', instanceId: 'Example__clamp-2', origin: `example/clamp@${bench.base_commit}` },
        notCarried: ['hints_text = "Look at the upper bound."', 'version = "1.0"'],
      },
    });
    const workspace = join(task.directory, 'environment/workspace');
    expect(readdirSync(workspace).sort()).toEqual(['lib', 'pyproject.toml', 'tests']);
    expect(readFileSync(join(workspace, 'tests/test_clamp.py'), 'utf8')).not.toContain('just above');
    expect(readdirSync(join(task.directory, 'tests/hidden/tests'))).toEqual(['test_clamp.py']);
    const sandbox = await openTaskSandbox({ task, ...runtime });
    const { stdout } = await sandbox.run({ command: 'git log --all --format=%s; grep -rl "just above" . | wc -l' });
    await sandbox.dispose();
    expect(stdout).toBe('Base\n0\n');
  });

  it('of SWE-smith takes the files of fail-to-pass tests from the agent and its image from the instance', async () => {
    const task = await writeSweSmithTask({ ...options(), instance: smith });
    expect(task.data).toMatchObject({
      environment: { image: 'registry.example.org/clamp:1' },
      lineage: { format: 'swe-smith', notCarried: [] },
    });
    expect(existsSync(join(task.directory, 'environment/workspace/tests/test_clamp.py'))).toBe(false);
    expect(existsSync(join(task.directory, 'environment/workspace/tests/test_words.py'))).toBe(true);
    expect(goldOf(task)).toContain('+    if value > high:');
    const own = await writeSweSmithTask({ ...options(), instance: { ...smith, repo: 'swesmith/example__clamp' }, commit: 'main' });
    expect(goldOf(own)).toBe(goldOf(task));
  });

  it.each([
    ['an unknown commit', { base_commit: 'f'.repeat(40) }, 'commit'],
    ['a test patch for another commit', { test_patch: 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' }, 'test_patch'],
    ['a gold patch for another commit', { patch: 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' }, 'patch of'],
    ['an empty statement', { problem_statement: ' \n' }, 'problem_statement'],
    ['no fail-to-pass test', { FAIL_TO_PASS: [] }, 'fail-to-pass'],
    ['a truncated id', { FAIL_TO_PASS: [`${bounds}test_lowers_a_high_value[just`] }, 'cut off'],
    ['a test file that is nowhere', { PASS_TO_PASS: ['tests/test_absent.py::test_a'] }, 'test_absent.py'],
  ])('is refused for %s', async (_, change, reason) => {
    const written = writeSweBenchTask({ ...options(), instance: { ...bench, ...change } });
    await expect(written).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining(reason) });
  });

  it('of SWE-smith is refused without pass-to-pass tests, without a commit, and where the bug changes the tests', async () => {
    const refusal = (change: Partial<SweSmithInstance>) => writeSweSmithTask({ ...options(), instance: { ...smith, ...change } });
    await expect(refusal({ PASS_TO_PASS: [] })).rejects.toThrow('pass-to-pass');
    await expect(refusal({ repo: 'swesmith/example__clamp' })).rejects.toThrow('commit');
    await expect(refusal({ patch: smith.patch + git('diff', 'HEAD', 'HEAD~1', '--', 'tests') })).rejects.toThrow('test_clamp.py');
  });
});

describe('predictions', () => {
  it('read back as they were written, one JSON line each', async () => {
    const file = join(runtime.folder, 'predictions.jsonl');
    const predictions = [
      { instance_id: 'a__b-1', model_name_or_path: 'tadpole', model_patch: 'diff --git a/ü b/ü\n\u2028' },
      { instance_id: 'a__b-2', model_name_or_path: 'tadpole', model_patch: '', extra: [1] },
    ];
    await writeSweBenchPredictions({ file, predictions });
    expect(await readSweBenchPredictions(file)).toEqual(predictions);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3);
    writeFileSync(file, '{"instance_id":"a","model_name_or_path":"m","model_patch":null}\n');
    expect(await readSweBenchPredictions(file)).toEqual([{ instance_id: 'a', model_name_or_path: 'm', model_patch: '' }]);
  });

  it('are refused twice for one instance, in writing and in reading, and without a patch', async () => {
    const one = { instance_id: 'a', model_name_or_path: 'm', model_patch: '' };
    await expect(writeSweBenchPredictions({ file: join(runtime.folder, 'p'), predictions: [one, one] })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    for (const text of [`${JSON.stringify(one)}\n${JSON.stringify(one)}`, '{"instance_id":"a","model_name_or_path":"m"}'])
      await expect(readSweBenchPredictions(write('predictions', text))).rejects.toMatchObject({ code: 'invalid-input' });
    const absent = join(runtime.folder, 'absent/p');
    await expect(writeSweBenchPredictions({ file: absent, predictions: [one] })).rejects.toMatchObject({ code: 'storage' });
  });
});
