import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNamespaceProvider, reapStaleControlGroups, reapStaleSandboxes } from '../src/index.js';

const script = fileURLToPath(new URL('./fixtures/open-and-print.mts', import.meta.url));
const node: readonly string[] = [process.execPath, '--import', 'tsx', '--conditions=@tadpole/source', script];
const isRoot = process.getuid?.() === 0;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tadpole-other-'));
  chmodSync(folder, 0o777);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['bubblewrap', 'unshare'] as const)('another process with %s', (launcher) => {
  it('opens sandboxes as an ordinary user', async () => {
    const drop = isRoot ? ['setpriv', '--reuid', '63999', '--regid', '63999', '--clear-groups', '--'] : [];
    const [file = '', ...words] = [...drop, ...node, folder, 'print', launcher];
    const { stdout } = await promisify(execFile)(file, words, { env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder } });
    const said = JSON.parse(stdout) as { stdout: string; diff: string; file: Record<string, number> };
    expect(said.diff).toContain('@@ -1 +1,2 @@\n a\n+b\n');
    expect(Object.values(said.file)).toEqual([...Buffer.from('a\nb\n')]);
    expect(said.stdout.split('\n')[0]).toBe('16');
    expect(said.stdout.split('\n')).not.toContain('home');
    expect(readdirSync(join(folder, 'scratch')).sort()).toEqual(['bases', 'mount-point']);
  });

  it('is cleaned up after when it was killed, and only then', async () => {
    const [file = '', ...words] = [...node, folder, 'hang', launcher];
    const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH } });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const scratchDirectory = join(folder, 'scratch');
    expect(await reapStaleSandboxes({ scratchDirectory })).toEqual([]);
    const own = await createNamespaceProvider({ scratchDirectory, launcher }).open({
      environment: { workspace: join(folder, 'workspace') },
      limits: {
        processes: 8,
        memoryBytes: 1e8,
        cpuSeconds: 5,
        timeoutMs: 5000,
        fileBytes: 1e6,
        writtenBytes: 1e7,
        writtenFiles: 1000,
        outputBytes: 1000,
      },
    });
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(await reapStaleSandboxes({ scratchDirectory })).toEqual([`sandbox-${child.pid}-1`]);
    expect(survivors('4716.25')).toEqual([]);
    expect(existsSync(join(scratchDirectory, `sandbox-${child.pid}-1`))).toBe(false);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(`sandbox-${child.pid}-1`);
    expect((await own.run({ command: 'cat a.txt' })).stdout).toBe('a\n');
    await own.dispose();
  });
});

it('is cleaned up after by the next provider over its scratch folder', async () => {
  const [file = '', ...words] = [...node, folder, 'hang', 'bubblewrap'];
  const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH } });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const scratchDirectory = join(folder, 'scratch');
  expect(readdirSync(scratchDirectory)).toContain(`sandbox-${child.pid}-1`);
  const provider = createNamespaceProvider({ scratchDirectory });
  await provider.describe();
  await provider.disposeAll();
  expect(readdirSync(scratchDirectory)).not.toContain(`sandbox-${child.pid}-1`);
});

it('ends and removes control groups whose owner is gone and whose folder somebody deleted', async () => {
  const [file = '', ...words] = [...node, folder, 'hang', 'bubblewrap'];
  const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH } });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const scratchDirectory = join(folder, 'scratch');
  const { enforced } = await createNamespaceProvider({ scratchDirectory }).describe();
  const hasGroups = enforced.some(({ id, how }) => id === 'memory' && how.startsWith('control group'));
  const own = expect.stringMatching(new RegExp(`^sandbox-${child.pid}-1-`));
  expect(await reapStaleControlGroups()).not.toContainEqual(own);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  rmSync(scratchDirectory, { recursive: true, force: true });
  const reaped = await reapStaleControlGroups();
  if (hasGroups) expect(reaped).toContainEqual(own);
  else expect(reaped).toEqual([]);
  expect(survivors('4716.25')).toEqual([]);
});

function survivors(word: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  });
}
