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
