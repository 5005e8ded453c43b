import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { containmentIdSchema } from '@tadpole/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import { caseLimits as limits } from '../../src/testing/conformance-case.js';
import { sandboxProviderConformance } from '../../src/testing/index.js';
import { connectTestEngine } from './engine-fixture.js';

const engine = await connectTestEngine('TADPOLE_PODMAN_SOCKET');

/** What a second engine could do otherwise: streams, signals, mounts, limits, the end of a container. */
const chosen = [
  'closes the network, this machine included',
  'lets no command and no tool write outside the workspace and the temporary folders',
  'holds no capability and gains none',
  'survives a fork bomb and leaves none of it behind',
  'bounds the number of processes',
  'bounds the memory of a process',
  'bounds the memory of all processes together',
  'keeps the process that serves files out of reach of commands',
  'changes neither clock nor device nor kernel setting nor control group',
  'ends a command at its time with everything that it started',
  'ends a command when the signal aborts',
  'answers an impossible command with an exit code, not with a throw',
  'gives standard input, folder and variables, and none of them to the next command',
  'runs Node.js and git inside, over exactly one commit',
  'captures the change whatever was done to the repository inside',
  'shows read-only mounts that cannot be written, and writable ones that can',
  'disposes once, more than once and with a command under way, and is closed afterwards',
];

afterAll(() => engine.close());

describe('the Docker provider with podman', () => {
  const provider = engine.provider();
  const cases = new Map(sandboxProviderConformance(provider).map(({ name, run }) => [name, run]));

  it.each(chosen)('%s', async (name) => {
    const run = cases.get(name);
    expect(run, 'a case of the conformance suite').toBeDefined();
    await run?.();
  });

  it('bounds the bytes that are written, over all places together', async () => {
    const sandbox = await provider.open({ environment: { workspace: mkdtempSync(join(engine.folder, 'empty-')) }, limits });
    const fill = 'for folder in . /tmp /dev/shm; do for i in $(seq 20); do head -c 4000000 /dev/zero >$folder/$i; done; done 2>/dev/null';
    const { stdout } = await sandbox.run({ command: `${fill}; cat [0-9]* /tmp/[0-9]* /dev/shm/[0-9]* | wc -c` });
    expect(Number(stdout)).toBeLessThanOrEqual(limits.writtenBytes);
    expect(Number(stdout)).toBeGreaterThan(limits.writtenBytes * 0.9);
    await sandbox.dispose();
  });

  it('says of every containment whether podman enforces it', async () => {
    const { enforced, notEnforced } = await provider.describe();
    expect(notEnforced.map(({ id }) => id)).toEqual(['namespaces', 'written-files']);
    expect([...enforced, ...notEnforced].map(({ id }) => id).sort()).toEqual([...containmentIdSchema.options].sort());
  });

  it('leaves no container behind', async () => {
    expect(await engine.containers()).toEqual([]);
  });
});
