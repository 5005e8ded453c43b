import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, type SandboxProvider, TadpoleError, type Task } from '@tadpole/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGrader, createOutcomeCache, openTaskSandbox, writeTask } from '../src/index.js';
import { createRuntime, fixture, limits, versions } from './runtime-fixture.js';

const runtime = createRuntime();
afterAll(() => runtime.close());

const failToPass = ['test/clamp.js::bounds > raises a low value'];
const passToPass = ['test/clamp.js::keeps a value inside the range', 'test/words.js::splits at blanks'];

/** The tape fixture with a bug in `lib/clamp.js`. */
async function makeTask(): Promise<Task> {
  const workspace = join(runtime.folder, 'workspace');
  cpSync(fixture('tape'), workspace, { recursive: true });
  rmSync(join(workspace, 'test'), { recursive: true });
  const source = readFileSync(join(workspace, 'lib/clamp.js'), 'utf8');
  writeFileSync(join(workspace, 'lib/clamp.js'), source.replace('return low;', 'return high;'));
  mkdirSync(join(workspace, 'config'));
  writeFileSync(join(workspace, 'config/keep.json'), '{}\n');
  return writeTask({
    data: {
      id: 'clamp-1',
      instruction: 'clamp returns the wrong bound.\n',
      environment: { dependencies: [{ name: 'tape', version: versions.tape }] },
      limits,
      verifier: {
        kind: 'tests',
        runner: 'tape',
        testFiles: ['test/clamp.js', 'test/words.js'],
        failToPass,
        passToPass,
        protectedPaths: ['config', 'test'],
        timeoutMs: 20_000,
      },
      lineage: {
        kind: 'generated',
        generator: 'g',
        operator: 'o',
        source: 'tadpole-fixture-tape@1.0.0',
        licence: 'MIT',
        snapshotHash: 'h',
        file: 'lib/clamp.js',
        line: 4,
        statementRung: 'symptom',
      },
    },
    workspace,
    hiddenFiles: { directory: fixture('tape'), paths: ['test'] },
    goldPatch: '',
    certificate: { taskId: 'clamp-1', gates: [], hiddenTestsHash: 'x' },
    into: join(runtime.folder, 'tasks'),
  });
}

describe('the grader', () => {
  let task: Task;
  const grader = createGrader(runtime);

  /** The patch that some commands in the agent's sandbox make. */
  async function patchOf(command: string): Promise<string> {
    const sandbox = await openTaskSandbox({ task, ...runtime });
    try {
      const result = await sandbox.run({ command });
      expect(result.stderr).toBe('');
      return await sandbox.diff();
    } finally {
      await sandbox.dispose();
    }
  }

  const gold = "sed -i '0,/return high;/s//return low;/' lib/clamp.js";

  beforeAll(async () => {
    task = await makeTask();
  });

  it('shows the agent no hidden file and nothing of the fixture but its workspace', async () => {
    const sandbox = await openTaskSandbox({ task, ...runtime });
    const { stdout } = await sandbox.run({ command: 'ls; ls -d /opt/tadpole/*; ls /node_modules | grep -x tape' });
    await sandbox.dispose();
    expect(stdout.split('\n')).toEqual(['config', 'dist', 'lib', 'package.json', '/opt/tadpole/repository', 'tape', '']);
  });

  it('gives 1 to the gold patch and 0 to an empty one', async () => {
    expect(await grader.grade({ task, patch: await patchOf(gold) })).toMatchObject({
      status: 'scored',
      reward: 1,
      components: { patchApplied: 1, failToPass: 1, passToPass: 1 },
    });
    const empty = await grader.grade({ task, patch: '' });
    expect(empty).toMatchObject({ status: 'scored', reward: 0, components: { patchApplied: 1, failToPass: 0, passToPass: 1 } });
    expect(empty.status === 'scored' && empty.tests.map(({ id, status }) => [id, status])).toEqual([
      ...failToPass.map((id) => [id, 'failed']),
      ...passToPass.map((id) => [id, 'passed']),
    ]);
  });

  it('scores 0 for a patch that does not apply, and says so', async () => {
    const patch = (await patchOf(gold)).replace('return high;', 'return nothing;');
    expect(await grader.grade({ task, patch })).toMatchObject({
      status: 'scored',
      reward: 0,
      components: { patchApplied: 0, failToPass: 0, passToPass: 0 },
    });
  });

  it('scores 0 for a repair that breaks a passing test', async () => {
    const outcome = await grader.grade({ task, patch: await patchOf(`${gold}; echo 'module.exports = () => []' > lib/words.js`) });
    expect(outcome).toMatchObject({ reward: 0, components: { failToPass: 1, passToPass: 0.5 } });
  });

  it.each([
    [
      'planted tests and a planted test framework',
      'mkdir -p test node_modules/tape; echo "module.exports = () => {}" | tee node_modules/tape/index.js > test/clamp.js',
    ],
    ['a link in the place of the hidden tests', 'mkdir elsewhere; ln -s elsewhere test'],
    ['a folder in the place of a hidden test', 'mkdir -p test/clamp.js; touch test/clamp.js/x'],
    ['forged output and an early exit', 'echo "console.log(\'ok 1\\n# pass 9\'); process.exit(0)" > lib/clamp.js'],
    [
      'a forged report',
      "echo \"for (const f of require('fs').readdirSync('/tmp')) require('fs').writeFileSync('/tmp/' + f + '/report', '{}'); process.exit(0)\" > lib/clamp.js",
    ],
  ])('scores 0 for %s', async (_, command) => {
    expect(await grader.grade({ task, patch: await patchOf(command) })).toMatchObject({ status: 'scored', reward: 0 });
  });

  it('restores protected files', async () => {
    const check = 'if (require("fs").readFileSync("config/keep.json", "utf8") !== "{}\\n") process.exit(1)';
    const patch = await patchOf(`${gold}; echo changed > config/keep.json; echo '${check}' >> lib/clamp.js`);
    expect(await grader.grade({ task, patch })).toMatchObject({ reward: 1 });
  });

  it('scores 0 with missing tests when the code under test hangs', async () => {
    const patch = await patchOf('echo "for (;;);" > lib/clamp.js');
    const hurried: Task = { ...task, data: { ...task.data, verifier: { ...task.data.verifier, timeoutMs: 4000 } } };
    const outcome = await grader.grade({ task: hurried, patch });
    expect(outcome).toMatchObject({ status: 'scored', reward: 0 });
    expect(outcome.status === 'scored' && outcome.tests.every(({ status }) => status === 'missing')).toBe(true);
  });

  it('gives no score when the sandbox fails', async () => {
    const provider: SandboxProvider = {
      open: () => Promise.reject(new TadpoleError({ code: 'sandbox', message: 'the sandbox did not open' })),
      describe: () => Promise.reject(new Error('not expected')),
    };
    const outcome = await createGrader({ ...runtime, provider }).grade({ task, patch: '' });
    expect(outcome).toEqual({ status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'the sandbox did not open' });
  });

  it('executes the same task and patch once, also for a later process', async () => {
    const directory = join(runtime.folder, 'outcomes');
    let opened = 0;
    const provider: SandboxProvider = {
      ...runtime.provider,
      open: (request) => {
        opened += 1;
        return runtime.provider.open(request);
      },
    };
    const cached = createGrader({ ...runtime, provider, cache: createOutcomeCache({ directory }) });
    const first: Outcome[] = await Promise.all([cached.grade({ task, patch: '' }), cached.grade({ task, patch: '' })]);
    const second = await createGrader({ ...runtime, provider, cache: createOutcomeCache({ directory }) }).grade({ task, patch: '' });
    expect(opened).toBe(1);
    expect([first[1], second]).toEqual([first[0], first[0]]);
  });

  it('gives no score when the test framework is not there', async () => {
    const environment = { ...task.data.environment, dependencies: [] };
    const outcome = await grader.grade({ task: { ...task, data: { ...task.data, environment } }, patch: '' });
    expect(outcome).toMatchObject({
      status: 'unscored',
      reason: 'grader-failed',
      boundary: 'grader',
      detail: expect.stringContaining('tape'),
    });
  });

  it('reads the base of a task whose folders were closed to others, and scores nothing where it still cannot', async () => {
    const closed = join(runtime.folder, 'closed');
    cpSync(join(task.directory, 'environment/workspace'), closed, { recursive: true });
    for (const folder of ['.', 'config', 'lib']) chmodSync(join(closed, folder), 0o700);
    chmodSync(join(closed, 'config/keep.json'), 0o600);
    const hiddenFiles = { directory: fixture('tape'), paths: ['test'] };
    const written = await writeTask({
      data: { ...task.data, id: 'closed-1' },
      workspace: closed,
      hiddenFiles,
      into: join(runtime.folder, 'tasks'),
    });
    const check = 'require("fs").readFileSync("config/keep.json")';
    const patch = await patchOf(`${gold}; rm -r config; echo '${check}' >> lib/clamp.js`);
    expect(await grader.grade({ task: written, patch })).toMatchObject({ status: 'scored', reward: 1 });
    chmodSync(join(written.directory, 'environment/workspace/config'), 0o700);
    if (process.getuid?.() === 0)
      expect(await grader.grade({ task: written, patch })).toMatchObject({ status: 'unscored', reason: 'grader-failed' });
  });

  it('does not take the cached outcome of a task whose hidden tests were edited meanwhile', async () => {
    const directory = join(runtime.folder, 'edited');
    cpSync(task.directory, directory, { recursive: true });
    const cached = createGrader({ ...runtime, cache: createOutcomeCache() });
    const patch = await patchOf(gold);
    expect(await cached.grade({ task: { ...task, directory }, patch })).toMatchObject({ reward: 1 });
    rmSync(join(directory, 'tests/hidden/test/clamp.js'));
    expect(await cached.grade({ task: { ...task, directory }, patch })).toMatchObject({ reward: 0 });
  });

  it('says why a named test has no result', async () => {
    const messageOf = async (patch: string, verifier: object = {}) => {
      const changed = { ...task, data: { ...task.data, verifier: { ...task.data.verifier, ...verifier } } } as Task;
      const outcome = await grader.grade({ task: changed, patch });
      return outcome.status === 'scored' ? outcome.tests.find(({ status }) => status === 'missing')?.message : outcome.detail;
    };
    expect(await messageOf('no patch')).toMatch(/^the patch was not applied: .*No valid patches/s);
    expect(await messageOf(await patchOf("echo '((' >> lib/clamp.js"))).toMatch(/could not be loaded: .*SyntaxError|left no report/s);
    const [first] = failToPass as [string];
    expect(await messageOf('', { failToPass: [`${first}s`] })).toContain(`no test of this id reported; ${first.split('::')[0]}::`);
  });

  it('does not take the cached outcome of the same folder under another verifier', async () => {
    const cached = createGrader({ ...runtime, cache: createOutcomeCache() });
    const other = { ...task, data: { ...task.data, verifier: { ...task.data.verifier, failToPass: passToPass } } } as Task;
    expect(await cached.grade({ task, patch: '' })).toMatchObject({ reward: 0 });
    expect(await cached.grade({ task: other, patch: '' })).toMatchObject({ reward: 1 });
  });

  it('stops by its signal', async () => {
    await expect(grader.grade({ task, patch: '', signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ code: 'aborted' });
  });
});
