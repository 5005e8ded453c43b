import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Containment } from '@tadpole/contracts';
import { afterAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('./fixtures/conform-as-user.mts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tadpole-user-'));
chmodSync(folder, 0o777);
const isRoot = process.getuid?.() === 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['bubblewrap', 'unshare'] as const)('the namespace provider with %s as an ordinary user', (launcher) => {
  it('conforms, without a control group', async () => {
    const drop = isRoot ? ['setpriv', '--reuid', '63999', '--regid', '63999', '--clear-groups', '--'] : [];
    const words = [...drop, process.execPath, '--import', 'tsx', '--conditions=@tadpole/source', script, join(folder, launcher), launcher];
    const { stdout } = await promisify(execFile)(words[0] as string, words.slice(1), {
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
      maxBuffer: 2 ** 24,
    });
    const said = JSON.parse(stdout) as { uid: number; passed: number; failures: Record<string, string>; containment: Containment };
    expect(said.failures).toEqual({});
    expect(said.passed).toBeGreaterThan(45);
    expect(said.uid).not.toBe(0);
    if (!isRoot) return;
    // No control group can be made by the user that root became.
    const { enforced, notEnforced } = said.containment;
    if (launcher === 'bubblewrap') expect(enforced.find(({ id }) => id === 'memory')?.how).toMatch(/looks every 50 ms/);
    else expect(notEnforced.find(({ id }) => id === 'memory')?.why).toMatch(/without a filter/);
  }, 180_000);
});
