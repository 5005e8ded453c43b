import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { containmentIdSchema } from '@tadpole/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import { createNamespaceProvider } from '../src/index.js';
import { sandboxProviderConformance } from '../src/testing/index.js';

const folder = mkdtempSync(join(tmpdir(), 'tadpole-provider-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['bubblewrap', 'unshare'] as const)('the namespace provider with %s', (launcher) => {
  const scratchDirectory = join(folder, launcher);
  const provider = createNamespaceProvider({ scratchDirectory, launcher });

  it.each([...sandboxProviderConformance(provider)])('$name', ({ run }) => run());

  it('says what it enforces and what it does not', async () => {
    const { enforced, notEnforced, provider: name } = await provider.describe();
    expect(name).toContain(launcher);
    expect(enforced.map(({ id }) => id)).toEqual(expect.arrayContaining(['network', 'environment']));
    expect([...enforced, ...notEnforced].map(({ id }) => id).sort()).toEqual([...containmentIdSchema.options].sort());
    for (const { why } of notEnforced) expect(why).not.toBe('');
  });

  it('leaves nothing but cached bases in its scratch folder', async () => {
    await provider.disposeAll();
    expect(readdirSync(scratchDirectory)).toEqual(['bases']);
  });
});

describe('a provider of another user', () => {
  it('keeps working while a sandbox uses up what the kernel counts by user', async () => {
    const limits = {
      ...{ processes: 16, memoryBytes: 2 ** 28, cpuSeconds: 10, timeoutMs: 10_000 },
      ...{ fileBytes: 2 ** 20, writtenBytes: 2 ** 22, writtenFiles: 100, outputBytes: 2 ** 12 },
    };
    const [hostile, apart] = [63_210, 63_211].map((userId) =>
      createNamespaceProvider({ scratchDirectory: join(folder, `user-${userId}`), userId }),
    ) as [ReturnType<typeof createNamespaceProvider>, ReturnType<typeof createNamespaceProvider>];
    const environment = { workspace: mkdtempSync(join(folder, 'workspace-')) };
    const [greedy, other] = [await hostile.open({ environment, limits }), await apart.open({ environment, limits })];
    const greed = `python3 -c 'import ctypes, time
libc = ctypes.CDLL(None)
while libc.inotify_init() >= 0: pass
open("full", "w").close()
time.sleep(60)'`;
    const stop = new AbortController();
    const running = greedy.run({ command: greed, signal: stop.signal }).catch(() => undefined);
    while ((await greedy.readFile('full')) === null) await new Promise((resolve) => setTimeout(resolve, 20));
    const { stdout } = await other.run({ command: `node -e "require('node:fs').watch('.').close(); console.log('watched')"` });
    expect(stdout).toBe('watched\n');
    stop.abort();
    await running;
    await Promise.all([hostile.disposeAll(), apart.disposeAll()]);
  });
});
