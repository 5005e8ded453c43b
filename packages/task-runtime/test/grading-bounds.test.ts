import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxProvider, Task } from '@tadpole/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGrader, createOutcomeCache, readTask } from '../src/index.js';
import { createRuntime, limits } from './runtime-fixture.js';

const runtime = createRuntime();
const grader = createGrader(runtime);
const { TMPDIR = '/tmp' } = process.env;
const umask = process.umask();
const temporary = join(runtime.folder, 'tmp');
mkdirSync(temporary);
beforeEach(() => {
  process.env.TMPDIR = temporary;
});
afterEach(() => {
  process.umask(umask);
  process.env.TMPDIR = TMPDIR;
});
afterAll(() => runtime.close());

const goldJs = "sed -i '0,/return high/s//return low/' lib/clamp.js";
const moduleJs = (text: string) => `cat > lib/clamp.js <<'MODULE'\n${text}\nMODULE`;
const repaired = 'module.exports = (value, low, high) => (value < low ? low : value > high ? high : value);';

/** Folders that grading leaves on this machine. */
const left = () => readdirSync(temporary);

/** A provider whose sandboxes get no writable folder of this machine. */
const closed: SandboxProvider = {
  ...runtime.provider,
  async open(request) {
    if ((request.environment.writableMounts ?? []).length > 0) throw new Error('expected no writable mount');
    return runtime.provider.open(request);
  },
};

async function scriptTask(script: string): Promise<Task> {
  made += 1;
  const directory = join(runtime.folder, `script-${made}`);
  cpSync(fileURLToPath(new URL('./fixtures/harbor/greeting-1.0', import.meta.url)), directory, { recursive: true });
  writeFileSync(join(directory, 'tests/test.sh'), script);
  const task = await readTask(directory);
  return { ...task, data: { ...task.data, limits: { ...limits, writtenBytes: 16_777_216 } } };
}
let made = 0;

describe('grading', () => {
  let task: Task;
  let gold: string;
  beforeAll(async () => {
    task = await runtime.makeTask({ runner: 'node-test', id: 'bounds' });
    gold = await runtime.patchOf(task, goldJs);
  });

  const gradeModule = async (text: string) =>
    createGrader({ ...runtime, provider: closed }).grade({ task, patch: await runtime.patchOf(task, moduleJs(text)) });

  it.each([0o077, 0o027])('gives 1 to a repair where this process makes files that others cannot read (%o)', async (mask) => {
    const script = await scriptTask(
      'grep -q hello greeting.txt && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt',
    );
    const patch = await runtime.patchOf(script, 'echo hello > greeting.txt');
    process.umask(mask);
    expect(await grader.grade({ task, patch: gold })).toMatchObject({ status: 'scored', reward: 1 });
    expect(await grader.grade({ task: script, patch })).toMatchObject({ status: 'scored', reward: 1 });
  });

  it('needs no room in the temporary folder of this machine for named tests, and has no score for a script without it', async () => {
    const script = await scriptTask('echo 1 > /logs/verifier/reward.txt');
    process.env.TMPDIR = join(runtime.folder, 'absent');
    expect(await grader.grade({ task, patch: gold })).toMatchObject({ status: 'scored', reward: 1 });
    expect(await grader.grade({ task: script, patch: '' })).toMatchObject({
      ...{ status: 'unscored', reason: 'grader-failed', boundary: 'grader', detail: expect.stringContaining('ENOENT') },
    });
  });

  it('keeps an outcome for which the folder of the cache has no room', async () => {
    const directory = join(runtime.folder, 'no-folder');
    writeFileSync(directory, '');
    const cached = createGrader({ ...runtime, cache: createOutcomeCache({ directory }) });
    expect(await cached.grade({ task, patch: gold })).toMatchObject({ status: 'scored', reward: 1 });
  });

  it('scores 0 for code under test that fills every place that it may write, and leaves nothing on this machine', async () => {
    const fill = `const fs = require('fs'); const block = Buffer.alloc(4194304);
      for (const folder of [process.cwd(), '/tmp', ...fs.readdirSync('/tmp', { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => '/tmp/' + name)])
        try { for (let i = 0; i < 100; i++) fs.writeFileSync(folder + '/x' + i, block); } catch {}
      ${repaired}`;
    expect(await gradeModule(fill)).toMatchObject({ status: 'scored', reward: 0, components: { patchApplied: 1 } });
    expect(left()).toEqual([]);
  });

  it.each([
    ['removes', "fs.rmSync(folder, { recursive: true }); process.kill(process.pid, 'SIGKILL');"],
    ['closes', "fs.chmodSync(folder, 0); process.kill(process.pid, 'SIGKILL');"],
    ['replaces', "fs.rmSync(folder, { recursive: true }); fs.symlinkSync('/dev', folder); process.exit();"],
    ['says that it never ran in', "fs.writeFileSync(folder + '/report.pending', 'x'); process.exit();"],
    [
      'digs deep in',
      "process.chdir(folder); for (let i = 0; i < 60; i++) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); } process.exit();",
    ],
  ])('scores 0 for code under test that %s the folder of reports', async (_, act) => {
    const text = `const fs = require('fs'); const folder = '/tmp/' + fs.readdirSync('/tmp').find((name) => name.startsWith('.reports-')); ${act}`;
    expect(await gradeModule(text)).toMatchObject({ status: 'scored', reward: 0, components: { patchApplied: 1, failToPass: 0 } });
    expect(left()).toEqual([]);
  });

  it('scores 0 for a report that is signed with what a snapshot of the heap shows', async () => {
    const forge = `const fs = require('fs'); const v8 = require('v8'); const crypto = require('crypto');
      v8.writeHeapSnapshot('/tmp/heap');
      const { strings } = JSON.parse(fs.readFileSync('/tmp/heap', 'utf8'));
      const folder = '/tmp/' + fs.readdirSync('/tmp').find((name) => name.startsWith('.reports-'));
      const results = [['test/clamp.js', 'bounds > raises a low value'], ['test/words.js', 'words > splits at blanks']];
      const body = JSON.stringify({ finished: true, results: results.map(([file, name]) => ({ file, name, status: 'passed' })) });
      const pool = Buffer.from(Buffer.from('x').buffer).toString('latin1').match(/[0-9a-f]{64}/g) ?? [];
      for (const key of [...strings.filter((text) => /^[0-9a-f]{64}$/.test(text)), ...pool])
        fs.writeFileSync(folder + '/report', crypto.createHmac('sha256', key).update(body).digest('hex') + '\\n' + body);
      process.kill(process.pid, 'SIGKILL');`;
    // The snapshot must fit, so that the attack does not fail for another reason.
    const roomy = { ...task, data: { ...task.data, limits: { ...limits, fileBytes: 67_108_864 } } };
    const patch = await runtime.patchOf(task, moduleJs(forge));
    expect(await grader.grade({ task: roomy, patch })).toMatchObject({ status: 'scored', reward: 0, components: { failToPass: 0 } });
  });

  it('scores 0 for a patch that outgrows the sandbox, and has no score for hidden files that do', async () => {
    const files = Object.fromEntries(Array.from({ length: 3 }, (_, index) => [`x${index}.txt`, `${'x'.repeat(99)}\n`.repeat(10_000)]));
    const plant = Object.keys(files).map((name) => `yes "$(printf 'x%.0s' $(seq 99))" | head -n 10000 > ${name}`);
    const patch = await runtime.patchOf(task, plant.join('\n'));
    const small = { ...task, data: { ...task.data, limits: { ...limits, writtenBytes: 1_048_576 } } };
    expect(await grader.grade({ task: small, patch })).toMatchObject({ status: 'scored', reward: 0, components: { patchApplied: 0 } });
    mkdirSync(join(task.directory, 'tests/hidden/test/large'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(task.directory, 'tests/hidden/test/large', name), text);
    expect(await grader.grade({ task: small, patch: '' })).toMatchObject({ status: 'unscored', reason: 'grader-failed' });
    execFileSync('rm', ['-r', join(task.directory, 'tests/hidden/test/large')]);
  });

  it('has no score where git is not there to say whether the patch applies', async () => {
    const environment = { ...task.data.environment, env: { PATH: '/nowhere' } };
    const outcome = await grader.grade({ task: { ...task, data: { ...task.data, environment } }, patch: gold });
    expect(outcome).toMatchObject({ status: 'unscored' });
  });
});

describe('the folder where a script leaves its reward', () => {
  const grade = async (script: string) =>
    createGrader({ ...runtime, provider: closed }).grade({ task: await scriptTask(script), patch: '' });
  const reward = 'echo 1 > /logs/verifier/reward.txt';

  it.each([
    ['deep', `${reward}; cd /logs/verifier; for i in {1..60}; do mkdir ${'d'.repeat(200)}; cd ${'d'.repeat(200)}; done`],
    ['closed to all', `${reward}; mkdir -p /logs/verifier/x/y; chmod 0 /logs/verifier/x`],
    ['full', `${reward}; head -c 8000000 /dev/zero > /logs/verifier/a; head -c 8000000 /dev/zero | tee /tmp/b /tmp/c > /dev/null`],
  ])('leaves nothing on this machine and is read when it is %s', async (_, script) => {
    expect(await grade(script)).toMatchObject({ status: 'scored', reward: 1 });
    expect(left()).toEqual([]);
  });

  it('scores 0 where what was written left no room for a reward', async () => {
    // The last pages go one by one.
    const fill =
      'for i in {1..9}; do head -c 8000000 /dev/zero > /logs/verifier/x$i; done; for i in {10..99}; do head -c 4096 /dev/zero > /logs/verifier/x$i; done';
    expect(await grade(`{ ${fill}; } 2>/dev/null; ${reward}`)).toMatchObject({
      ...{ status: 'scored', reward: 0, warnings: [expect.stringContaining('full')] },
    });
    expect(await grade(`{ ${fill}; } 2>/dev/null; rm /logs/verifier/x*`)).toMatchObject({ status: 'unscored', reason: 'grader-failed' });
  });
});
