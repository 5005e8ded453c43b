import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxProvider, Task } from '@tadpole/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGrader, openTaskSandbox, readTask, taskHash, writeTask } from '../src/index.js';
import { createRuntime, limits } from './runtime-fixture.js';

const runtime = createRuntime();
afterAll(() => runtime.close());
const grader = createGrader(runtime);

/** A copy of a Harbor folder of another program, with some files replaced. */
function foreign(name: string, files: Readonly<Record<string, string>> = {}): string {
  const directory = join(runtime.folder, 'foreign', `${name}-${made}`, name);
  made += 1;
  cpSync(fileURLToPath(new URL(`./fixtures/harbor/${name}`, import.meta.url)), directory, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}
let made = 0;

describe('a Harbor folder of another program', () => {
  it('with the older spellings becomes a task with a script verifier that says what it leaves out', async () => {
    const { data } = await readTask(foreign('greeting-1.0'));
    expect(data).toMatchObject({
      id: 'greeting-1.0',
      instruction: expect.stringContaining('canary'),
      environment: { dependencies: [], workspacePath: '/workspace' },
      verifier: { kind: 'script', timeoutMs: 20_500, env: {}, preferredReward: 'reward.json' },
      limits: { memoryBytes: 512 * 2 ** 20, writtenBytes: 1.5 * 2 ** 30 },
    });
    expect(data.lineage).toEqual({
      ...{ kind: 'imported', format: 'harbor', instanceId: 'greeting-1.0', origin: 'example-set' },
      notCarried: [
        'task.toml: agent.timeout_sec = 120',
        'task.toml: environment.cpus = 1',
        'task.toml: metadata.author_name = "Example"',
        'task.toml: metadata.difficulty = "easy"',
        'environment/Dockerfile',
      ],
    });
  });

  it('of the newest schema keeps image, folder, variables and bounds, and reports every other key, unknown ones too', async () => {
    const { data } = await readTask(foreign('sum-1.4'), { limits: { processes: 7 } });
    expect(data).toMatchObject({
      id: 'example-sum-of-two',
      environment: { image: 'registry.example.org/sum:1', workspacePath: '/app', env: { MODE: 'test' } },
      verifier: { timeoutMs: 60_000, env: { EXPECTED: '3' } },
      limits: { processes: 7, memoryBytes: 256 * 2 ** 20, writtenBytes: 64 * 2 ** 20 },
      lineage: { instanceId: 'example/Sum of Two' },
    });
    const keys = data.lineage.kind === 'imported' ? data.lineage.notCarried.map((line) => line.replace(/^task\.toml: | = .*$/g, '')) : [];
    expect(keys.sort()).toEqual([
      ...['agent.timeout_sec', 'agent.user', 'artifacts', 'environment.build_timeout_sec', 'environment.colour', 'environment.cpus'],
      ...['environment.gpus', 'environment.healthcheck', 'environment.mcp_servers', 'environment.network_mode', 'metadata.difficulty'],
      ...['solution.env', 'task.authors', 'task.description', 'task.keywords', 'task.version', 'unheard_of.key', 'verifier.collect'],
    ]);
  });

  it.each(['1.0', '1.1', '1.2', '1.3', '1.4'])('is read in schema %s under either name of the key', async (version) => {
    for (const key of ['schema_version', 'version']) {
      const { data } = await readTask(foreign('greeting-1.0', { 'task.toml': `${key} = "${version}"\n` }));
      expect(data).toMatchObject({ verifier: { kind: 'script', timeoutMs: 600_000 }, lineage: { notCarried: ['environment/Dockerfile'] } });
    }
  });

  it.each([
    ['several-steps', 'several steps'],
    ['separate-verifier', 'environment of its own'],
  ])('is refused in one sentence: %s', async (name, reason) => {
    await expect(readTask(foreign(name))).rejects.toMatchObject({ code: 'unsupported', message: expect.stringContaining(reason) });
  });

  it.each([
    [{ 'task.toml': 'version = "1.0"\n[environment\n' }, 'task.toml:2'],
    [{ 'task.toml': 'version = "1.0"\n[verifier]\ntimeout_sec = "long"\n' }, 'verifier.timeout_sec'],
    [{ 'task.toml': '[environment]\nmemory = "much"\n' }, 'environment.memory'],
    [{ 'task.toml': 'schema_version = "2.0"\n' }, '1.x'],
    [{ 'instruction.md': '' }, 'instruction'],
  ])('names the place of what is wrong in %j', async (files, place) => {
    await expect(readTask(foreign('greeting-1.0', files as Record<string, string>))).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(place),
    });
  });

  it('is refused without a script, and at opening without the files that the agent gets', async () => {
    const scriptless = foreign('greeting-1.0');
    rmSync(join(scriptless, 'tests/test.sh'));
    await expect(readTask(scriptless)).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('test.sh') });
    const imageOnly = foreign('greeting-1.0');
    rmSync(join(imageOnly, 'environment/workspace'), { recursive: true });
    const task = await readTask(imageOnly);
    const refusal = { code: 'invalid-input', message: expect.stringContaining('environment/workspace') };
    await expect(openTaskSandbox({ task, ...runtime })).rejects.toMatchObject(refusal);
    await expect(grader.grade({ task, patch: '' })).rejects.toMatchObject(refusal);
  });

  it('reads back, once it was written here in the newest schema, as the same task', async () => {
    const directory = foreign('sum-1.4');
    const task = await readTask(directory);
    const written = await writeTask({
      data: task.data,
      workspace: join(directory, 'environment/workspace'),
      hiddenFiles: { directory: join(directory, 'tests'), paths: ['test.sh'] },
      solutionFiles: { directory: join(directory, 'solution'), paths: ['solve.sh'] },
      into: join(runtime.folder, 'tasks'),
    });
    expect((await readTask(written.directory)).data).toEqual(task.data);
    for (const file of ['tests/test.sh', 'solution/solve.sh', 'environment/workspace/sum.sh', 'instruction.md'])
      expect(readFileSync(join(written.directory, file))).toEqual(readFileSync(join(directory, file)));
    const manifest = readFileSync(join(written.directory, 'task.toml'), 'utf8');
    for (const line of ['schema_version = "1.4"', 'timeout_sec = 60', '[verifier.env]', 'EXPECTED = "3"', 'memory_mb = 256'])
      expect(manifest).toContain(line);
    expect(readFileSync(join(written.directory, 'environment/Dockerfile'), 'utf8')).toContain('FROM registry.example.org/sum:1\n');
    await expect(
      writeTask({ ...written, workspace: directory, hiddenFiles: { directory, paths: [] }, into: runtime.folder }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('test.sh'),
    });
  });
});

describe('a script verifier', () => {
  let task: Task;
  beforeAll(async () => {
    task = await readTask(foreign('greeting-1.0'), { limits });
  });

  /** The outcome of a script under the patch of some commands. */
  async function outcomeOf(script: string, options: { command?: string; verifier?: object } = {}) {
    const own = await readTask(foreign('greeting-1.0', { 'tests/test.sh': script }), { limits });
    const patch = options.command === undefined ? '' : await runtime.patchOf(own, options.command);
    const data = { ...own.data, verifier: { ...own.data.verifier, ...options.verifier } } as Task['data'];
    return grader.grade({ task: { ...own, data }, patch });
  }

  it('scores what the script leaves: 1 for a repair, 0 without one', async () => {
    const patch = await runtime.patchOf(task, 'echo hello > greeting.txt');
    expect(await grader.grade({ task, patch })).toEqual({ status: 'scored', reward: 1, components: { patchApplied: 1 }, tests: [] });
    expect(await grader.grade({ task, patch: '' })).toMatchObject({ status: 'scored', reward: 0, components: { patchApplied: 1 } });
    expect(await grader.grade({ task, patch: patch.replace('good morning', 'good night') })).toMatchObject({
      reward: 0,
      components: { patchApplied: 0 },
    });
  });

  it('shows the agent neither the script nor the solution', async () => {
    const sandbox = await openTaskSandbox({ task, ...runtime });
    const { stdout } = await sandbox.run({
      command: 'ls; ls /tests /solution /logs 2>&1; find / -name expected.txt -o -name solve.sh 2>/dev/null',
    });
    await sandbox.dispose();
    expect(stdout.split('\n').filter((line) => !line.includes('No such file'))).toEqual(['greeting.txt', '']);
  });

  it('runs in the workspace with its variables and a read-only /tests', async () => {
    const script = `cd /workspace && [ "$PWD" = "$OLDPWD" ] && [ "$A" = 'b c' ] && ! touch /tests/x 2>/dev/null && echo 1 > /logs/verifier/reward.txt`;
    const outcome = await outcomeOf(script, { verifier: { env: { A: 'b c' } } });
    expect(outcome).toMatchObject({ status: 'scored', reward: 1 });
  });

  it('carries the numbers beside the reward, and a warning where the files disagree', async () => {
    const script = `echo '{"reward": 0.5, "cases": 4}' > /logs/verifier/reward.json; echo 1 > /logs/verifier/reward.txt`;
    expect(await outcomeOf(script)).toMatchObject({
      reward: 0.5,
      components: { patchApplied: 1, cases: 4 },
      warnings: [expect.stringContaining('reward.json counts')],
    });
    expect(await outcomeOf(script, { verifier: { preferredReward: 'reward.txt' } })).toMatchObject({
      reward: 1,
      warnings: [expect.any(String)],
    });
  });

  it.each([
    ['no reward', 'exit 1', 'neither'],
    ['a negative one', 'echo -1 > /logs/verifier/reward.txt', '-1'],
    ['one above 1', 'echo 7 > /logs/verifier/reward.txt', '7'],
    ['one that is a link', 'ln -s /etc/passwd /logs/verifier/reward.txt', 'regular'],
    ['a FIFO', 'mkfifo /logs/verifier/reward.txt', 'regular'],
  ])('gives no score for %s', async (_, script, why) => {
    expect(await outcomeOf(script)).toMatchObject({
      status: 'unscored',
      reason: 'grader-failed',
      boundary: 'grader',
      detail: expect.stringContaining(why),
    });
  });

  it('gives no score when the time runs out, and leaves nothing that could write later', async () => {
    const script = '(sleep 0.5; echo 1 > /logs/verifier/reward.txt) & sleep 60';
    expect(await outcomeOf(script, { verifier: { timeoutMs: 300 } })).toMatchObject({ status: 'unscored', reason: 'grading-timeout' });
  });

  it('gives no score when the sandbox fails', async () => {
    const provider: SandboxProvider = { ...runtime.provider, open: () => Promise.reject(new Error('not expected')) };
    await expect(createGrader({ ...runtime, provider }).grade({ task, patch: '' })).rejects.toThrow('not expected');
  });

  it('is part of what a task means: another script or data beside it is another task', async () => {
    const hash = async (files: Record<string, string>) => taskHash(await readTask(foreign('greeting-1.0', files)));
    const same = await hash({});
    expect(await hash({ 'solution/solve.sh': 'x' })).toBe(same);
    expect(
      new Set([same, await hash({ 'tests/expected.txt': 'x' }), await hash({ 'tests/test.sh': 'x' }), await hash({ 'tests/more': 'x' })])
        .size,
    ).toBe(4);
  });
});

describe('a workspace that gives the answer away', () => {
  const sample = async (files: Readonly<Record<string, string>>, name = 'greeting-1.0') => {
    const directory = foreign(name, files);
    return { directory, opened: readTask(directory, { limits }).then((task) => openTaskSandbox({ task, ...runtime })) };
  };
  const file = (argument: string) =>
    `first();\nsecond(${argument});\nthird();\n${Array.from({ length: 20 }, (_, index) => `more(${index});\n`).join('')}`;
  const long = (text: string) => `${text}\n`.repeat(20);
  const goldPatch = `--- a/a.js
+++ b/a.js
@@ -1,3 +1,3 @@
 first();
-second(wrong);
+second(right);
 third();
`;

  it.each([
    ['git history', { 'environment/workspace/.git/HEAD': 'ref: refs/heads/main' }, '.git'],
    ['nested git history', { 'environment/workspace/deep/er/.git': 'gitdir: /x' }, 'deep/er/.git'],
    [
      'a hidden test under another name',
      { 'tests/check.py': long('assert True'), 'environment/workspace/notes.txt': long('assert True') },
      'notes.txt',
    ],
    ['the solution', { 'solution/answer.txt': long('answer'), 'environment/workspace/old.bak': long('answer') }, 'old.bak'],
    ['the gold patch', { 'solution/gold.patch': goldPatch, 'environment/workspace/fix.diff': goldPatch }, 'fix.diff'],
    [
      'a built copy of the repaired file',
      {
        'solution/gold.patch': goldPatch,
        'environment/workspace/a.js': file('wrong'),
        'environment/workspace/build/a.js': `x();\n${file('right')}`,
      },
      'build/a.js',
    ],
  ])('is refused at opening: %s', async (_, files, place) => {
    const { opened } = await sample(files as Record<string, string>);
    await expect(opened).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining(place) });
  });

  it('is told from one that holds the unrepaired file, small files and data that the script compares with', async () => {
    const { directory, opened } = await sample({
      ...{ 'solution/gold.patch': goldPatch, 'environment/workspace/a.js': file('wrong') },
      // A sibling that shares what surrounds the change is code of its own.
      ...{ 'environment/workspace/b.js': 'first();\nsecond(right);\nthird();\n' },
      ...{ 'tests/data.json': long('{}'), 'environment/workspace/data.json': long('{}') },
      ...{ 'tests/__init__.py': '', 'environment/workspace/__init__.py': '' },
    });
    await (await opened).dispose();
    expect(existsSync(directory)).toBe(true);
  });
});
