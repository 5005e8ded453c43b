import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamespaceProvider } from '../src/index.js';
import { caseLimits as limits } from '../src/testing/conformance-case.js';

const folder = mkdtempSync(join(tmpdir(), 'tadpole-faults-'));
const workspace = join(folder, 'workspace');
const scratchDirectory = join(folder, 'scratch');

beforeAll(() => {
  mkdirSync(join(workspace, 'lib'), { recursive: true });
  for (let file = 0; file < 150; file += 1) writeFileSync(join(workspace, `${file}.txt`), `${file}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runners of this process's sandboxes. */
function runners(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return stat.includes('(node)') && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('sandbox-runner') && rootOf(pid);
      } catch {
        return false;
      }
    });
}

/** Whether a process comes from this one. */
function rootOf(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return parent === process.pid || (parent > 1 && rootOf(parent));
}

describe('namespace sandboxes', () => {
  it('see a whole workspace, though several providers lay it down in one folder at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shared = join(folder, `shared-${round}`);
      const providers = [1, 2, 3].map(() => createNamespaceProvider({ scratchDirectory: shared }));
      const sandboxes = await Promise.all(providers.map((provider) => provider.open({ environment: { workspace }, limits })));
      for (const sandbox of sandboxes)
        expect((await sandbox.run({ command: 'ls *.txt | wc -l; git status --short' })).stdout).toBe('150\n');
      await Promise.all(providers.map((provider) => provider.disposeAll()));
      expect(readdirSync(join(shared, 'bases')).filter((name) => name.startsWith('.'))).toEqual([]);
    }
  });

  it('start one new runner for all calls under which the last one was killed, and leave none', async () => {
    const provider = createNamespaceProvider({ scratchDirectory });
    const sandbox = await provider.open({ environment: { workspace }, limits });
    await sandbox.readFile('0.txt');
    const [first] = runners();
    const reads = Promise.all(Array.from({ length: 50 }, (_, index) => sandbox.readFile(`${index}.txt`)));
    process.kill(first as number, 'SIGKILL');
    expect((await reads).every((bytes) => bytes !== null)).toBe(true);
    expect(runners().length).toBeLessThanOrEqual(1);
    await sandbox.dispose();
    expect(runners()).toEqual([]);
    await provider.disposeAll();
  });

  it.each(['bubblewrap', 'unshare'] as const)('refuse a mount point that would have to be made on this machine (%s)', async (launcher) => {
    const provider = createNamespaceProvider({ scratchDirectory, launcher });
    const source = join(workspace, 'lib');
    for (const targets of [['/usr/tadpole-planted'], ['/data', '/data/inner/more']]) {
      const readOnlyMounts = targets.map((target) => ({ source, target }));
      await expect(provider.open({ environment: { workspace, readOnlyMounts }, limits })).rejects.toMatchObject({ code: 'invalid-input' });
    }
    expect([existsSync('/usr/tadpole-planted'), existsSync(join(source, 'inner'))]).toEqual([false, false]);
    await provider.disposeAll();
  });

  it('are opened again after somebody deleted the scratch folder', async () => {
    const provider = createNamespaceProvider({ scratchDirectory });
    const sandbox = await provider.open({ environment: { workspace }, limits });
    rmSync(scratchDirectory, { recursive: true, force: true });
    await expect(sandbox.run({ command: 'true' })).rejects.toMatchObject({ code: 'sandbox' });
    await sandbox.dispose();
    await provider.open({ environment: { workspace }, limits }).catch((error) => expect(error).toMatchObject({ code: 'storage' }));
    await (await provider.open({ environment: { workspace }, limits })).dispose();
    await provider.disposeAll();
  });

  it('leave no descriptor behind after calls that cannot be started', async () => {
    const provider = createNamespaceProvider({ scratchDirectory });
    const sandbox = await provider.open({ environment: { workspace }, limits });
    await sandbox.run({ command: 'true' });
    const before = readdirSync('/proc/self/fd').length;
    const env = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`LONG_${index}`, 'x'.repeat(60_000)]));
    for (let call = 0; call < 20; call += 1) await expect(sandbox.run({ command: 'true', env })).rejects.toMatchObject({ code: 'sandbox' });
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 2);
    await sandbox.dispose();
    await provider.disposeAll();
  });
});
