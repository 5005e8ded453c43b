import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '@tadpole/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCertificate, readTask, writeTask } from '../src/index.js';
import { createRuntime, fixture, limits, versions } from './runtime-fixture.js';

const runtime = createRuntime();
afterAll(() => runtime.close());

const workspace = join(runtime.folder, 'workspace');
const certificate = { taskId: 'words-1', gates: [{ name: 'kills', passed: true, evidence: { failed: 2 } }], hiddenTestsHash: 'abc' };
const data = {
  id: 'words-1',
  instruction: 'words("a  b") gives an empty word.\n\nIt must give two words: "a" and "b" — \\n is no word.',
  environment: { dependencies: [{ name: 'mocha', version: versions.mocha }], workspacePath: '/workspace' },
  limits,
  verifier: {
    kind: 'tests' as const,
    runner: 'mocha' as const,
    testFiles: ['test/clamp.js', 'test/words.js'],
    failToPass: ['test/words.js::words > splits at blanks'],
    passToPass: ['test/words.js::words > splits at blanks #2', 'test/clamp.js::clamp > bounds > raises a low value'],
    protectedPaths: ['package.json'],
    timeoutMs: 20_000,
  },
  lineage: {
    kind: 'generated' as const,
    ...{ generator: 'g', operator: 'drop-filter', source: 'tadpole-fixture-mocha@1.0.0', licence: 'MIT', snapshotHash: 'h' },
    ...{ file: 'lib/words.js', line: 4, statementRung: 'symptom' as const },
  },
};
const request = {
  data,
  workspace,
  hiddenFiles: { directory: fixture('mocha'), paths: ['test'] },
  goldPatch: `--- a/lib/words.js
+++ b/lib/words.js
@@ -1,5 +1,5 @@
 'use strict';
 
 module.exports = function words(text) {
-  return text.split(' ');
+  return text.split(' ').filter((word) => word.length > 0);
 };
`,
  certificate,
  into: join(runtime.folder, 'tasks'),
};

describe('a task folder in Harbor layout', () => {
  let task: Task;

  beforeAll(async () => {
    cpSync(fixture('mocha'), workspace, { recursive: true });
    rmSync(join(workspace, 'test'), { recursive: true });
    const source = readFileSync(join(workspace, 'lib/words.js'), 'utf8');
    writeFileSync(join(workspace, 'lib/words.js'), source.replace('.filter((word) => word.length > 0)', ''));
    task = await writeTask(request);
  });

  it('reads back as it was written', async () => {
    expect(await readTask(task.directory)).toEqual({ data, directory: join(runtime.folder, 'tasks/words-1') });
    expect(await readCertificate(task.directory)).toEqual(certificate);
    expect(await writeTask(request)).toEqual(task);
  });

  it('keeps the hidden files out of what the agent gets', () => {
    expect(existsSync(join(task.directory, 'environment/workspace/test'))).toBe(false);
    expect(existsSync(join(task.directory, 'tests/hidden/test/helpers/values.js'))).toBe(true);
  });

  it('names the keys that Harbor reads', () => {
    const manifest = readFileSync(join(task.directory, 'task.toml'), 'utf8');
    for (const line of [
      'schema_version = "1.4"',
      'name = "tadpole/words-1"',
      'network_mode = "no-network"',
      '[metadata.tadpole.verifier]',
    ]) {
      expect(manifest).toContain(line);
    }
  });

  it.each([
    [false, '0\n', { reward: 0, fail_to_pass: 0, pass_to_pass: 1 }],
    [true, '1\n', { reward: 1, fail_to_pass: 1, pass_to_pass: 1 }],
  ])('is graded by its own test.sh (solved: %s)', async (solved, text, json) => {
    const logs = join(runtime.folder, `logs-${solved}`);
    execFileSync('mkdir', ['-m', '777', logs]);
    const modules = await runtime.dependencyStore.directoryFor(data.environment.dependencies);
    const sandbox = await runtime.provider.open({
      environment: {
        workspace: join(task.directory, 'environment/workspace'),
        readOnlyMounts: [
          { source: modules, target: '/node_modules' },
          { source: join(task.directory, 'tests'), target: '/tests' },
          { source: join(task.directory, 'solution'), target: '/solution' },
        ],
        writableMounts: [{ source: logs, target: '/logs/verifier' }],
      },
      limits,
    });
    const run = await sandbox.run({
      command: `${solved ? '/solution/solve.sh && ' : ''}echo '{}' > package.json; mkdir -p test; /tests/test.sh`,
    });
    await sandbox.dispose();
    expect(run).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(logs, 'reward.txt'), 'utf8')).toBe(text);
    expect(JSON.parse(readFileSync(join(logs, 'reward.json'), 'utf8'))).toEqual(json);
  });

  it.each(['node-test', 'jest', 'vitest', 'pytest'] as const)(
    'grades %s by its own test.sh, against planted configuration too',
    async (runner) => {
      const own = await runtime.makeTask({ runner, id: `folder-${runner}` });
      const logs = join(runtime.folder, `logs-${runner}`);
      execFileSync('mkdir', ['-m', '777', logs]);
      const sandbox = await runtime.provider.open({
        environment: {
          workspace: join(own.directory, 'environment/workspace'),
          readOnlyMounts: [
            { source: await runtime.dependencyStore.directoryFor(own.data.environment.dependencies), target: '/node_modules' },
            { source: join(own.directory, 'tests'), target: '/tests' },
          ],
          writableMounts: [{ source: logs, target: '/logs/verifier' }],
        },
        limits,
      });
      const plant = 'echo "raise SystemExit(0)" > conftest.py; echo "process.exit(0)" > jest.config.js';
      const gold = "sed -i 's/return high;/return low;/;3s/return high/return low/' lib/clamp.*";
      const rewards: string[] = [];
      for (const command of [plant, gold]) {
        const run = await sandbox.run({ command: `${command}; /tests/test.sh` });
        expect(run).toMatchObject({ exitCode: 0 });
        rewards.push(readFileSync(join(logs, 'reward.txt'), 'utf8'));
      }
      await sandbox.dispose();
      expect(rewards).toEqual(['0\n', '1\n']);
    },
  );

  it('refuses a gold patch that does not apply to the workspace, and leaves no folder', async () => {
    const into = join(runtime.folder, 'unsolved');
    const goldPatch = request.goldPatch.replace("split(' ')", "split(',')");
    const message = expect.stringMatching(/expected the gold patch to apply to .*lib\/words\.js/);
    await expect(writeTask({ ...request, goldPatch, into })).rejects.toMatchObject({ code: 'invalid-input', message });
    await expect(writeTask({ ...request, goldPatch: 'no patch', into })).rejects.toMatchObject({ code: 'invalid-input' });
    expect(existsSync(into)).toBe(false);
  });

  it.each([
    ['a test id that no runner reports', { failToPass: ['splits at blanks'] }, /splits at blanks.*names no file/],
    ['a test that is named twice', { passToPass: [data.verifier.failToPass[0]!] }, /named twice/],
  ])('refuses %s', async (_, change, message) => {
    const verifier = { ...data.verifier, ...change };
    await expect(writeTask({ ...request, data: { ...data, verifier } })).rejects.toThrowError(message);
  });

  it('refuses a workspace that is nowhere, or a file', async () => {
    for (const path of ['nowhere', 'package.json'])
      await expect(writeTask({ ...request, workspace: join(workspace, path) })).rejects.toThrowError(/expected a workspace folder at/);
  });

  it("checks a gold patch by nothing of the workspace's own repository, and against files below files", async () => {
    const own = join(runtime.folder, 'q:2', 'own');
    cpSync(workspace, own, { recursive: true });
    const git = (...words: string[]) => execFileSync('git', words, { cwd: own });
    git('init', '-q');
    git('config', 'filter.x.clean', 'touch PWNED; cat');
    git('config', 'apply.ignoreWhitespace', 'change');
    writeFileSync(join(own, '.gitattributes'), '* filter=x\n');
    await writeTask({ ...request, workspace: own });
    expect(existsSync(join(own, 'PWNED'))).toBe(false);
    const loose = request.goldPatch.replace("-  return text.split(' ');", "-    return  text.split(' ');");
    const below =
      'diff --git a/package.json/x b/package.json/x\nnew file mode 100644\n--- /dev/null\n+++ b/package.json/x\n@@ -0,0 +1 @@\n+x\n';
    for (const goldPatch of [loose, below])
      await expect(writeTask({ ...request, workspace: own, goldPatch })).rejects.toThrowError(/expected the gold patch to apply/);
  });

  it('refuses a workspace that shows a hidden file', async () => {
    const leaking = join(runtime.folder, 'leaking');
    cpSync(fixture('mocha'), leaking, { recursive: true });
    await expect(writeTask({ ...request, workspace: leaking })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('test'),
    });
  });

  it.each([
    ['task.toml', 'schema_version = ', 'TOML'],
    ['task.toml', 'schema_version = "1.4"\n[metadata.tadpole]\nid = "x"\n', 'metadata.tadpole'],
    ['task.toml', 'schema_version = "2.0"\n[metadata.tadpole]\nid = "x"\n', '1.x'],
    ['certificate.json', '{', 'JSON'],
  ])('names what is wrong with a malformed %s', async (file, content, reason) => {
    const broken = join(runtime.folder, 'broken');
    rmSync(broken, { recursive: true, force: true });
    mkdirSync(broken);
    cpSync(task.directory, broken, { recursive: true });
    writeFileSync(join(broken, file), content);
    const read = file === 'task.toml' ? readTask(broken) : readCertificate(broken);
    await expect(read).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining(reason) });
  });

  it('says that a folder is no task', async () => {
    await expect(readTask(join(runtime.folder, 'absent'))).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('task.toml'),
    });
  });
});
