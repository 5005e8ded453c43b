import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { containmentIdSchema } from '@tadpole/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import { createUnsafeProcessProvider } from '../src/index.js';
import { caseLimits as limits } from '../src/testing/conformance-case.js';
import { sandboxProviderConformance } from '../src/testing/index.js';

const folder = mkdtempSync(join(tmpdir(), 'tadpole-unsafe-'));
const scratchDirectory = join(folder, 'scratch');
const provider = createUnsafeProcessProvider({ scratchDirectory });

/** Cases that ask for no containment and not for a workspace at `/workspace`. */
const chosen = [
  'keeps head and tail of large output and counts the rest',
  'does not wait for a background process that holds the output open, and ends it',
  'ends a command when the signal aborts',
  'tells a signal as 128 plus its number',
  'answers an impossible command with an exit code, not with a throw',
  'keeps files between commands and nothing of the temporary folder of another sandbox',
  'runs Node.js and git inside, over exactly one commit',
  'reads and writes bytes and keeps the mode of a file',
  'matches glob patterns against files, sorted, relative to the workspace',
  'has an empty diff before any change, also after files were touched',
  'captures an edit as a readable text patch',
  'captures new, deleted, renamed, executable, linked, binary, ignored and non-UTF-8 files so that they apply cleanly',
  'captures the change whatever was done to the repository inside',
  'captures files of a nested repository and of unreadable folders',
  'leaves the base untouched',
  'disposes once, more than once and with a command under way, and is closed afterwards',
  'opens no sandbox for an aborted signal and none with incomplete limits',
];

afterAll(async () => {
  await provider.disposeAll();
  expect(readdirSync(scratchDirectory)).toEqual(['bases']);
  rmSync(folder, { recursive: true, force: true });
});

describe('the unsafe-process provider', () => {
  const cases = new Map(sandboxProviderConformance(provider).map(({ name, run }) => [name, run]));

  it.each(chosen)('%s', async (name) => {
    const run = cases.get(name);
    expect(run, 'a case of the conformance suite').toBeDefined();
    await run?.();
  });

  it('runs in the copied workspace, with links to what is mounted beside it', async () => {
    const workspace = mkdtempSync(join(folder, 'workspace-'));
    const modules = mkdtempSync(join(folder, 'modules-'));
    writeFileSync(join(workspace, 'a.js'), "console.log(require('b'));\n");
    writeFileSync(join(modules, 'b.js'), 'module.exports = 7;\n');
    const readOnlyMounts = [{ source: modules, target: '/node_modules' }];
    const sandbox = await provider.open({ environment: { workspace, readOnlyMounts, env: { WORD: 'a b' } }, limits });
    const result = await sandbox.run({ command: 'echo $WORD; cat; node a.js; echo >> a.js', stdin: 'input\n', cwd: '/workspace' });
    expect(result.stdout).toBe('a b\ninput\n7\n');
    expect(await sandbox.run({ command: 'exec sleep 30', timeoutMs: 50 })).toMatchObject({ exitCode: null, timedOut: true });
    expect(readFileSync(join(workspace, 'a.js'), 'utf8')).not.toContain('\n\n');
    await sandbox.dispose();
  });

  it('says of every containment that it enforces next to none', async () => {
    const { enforced, notEnforced } = await provider.describe();
    expect([...enforced, ...notEnforced].map(({ id }) => id).sort()).toEqual([...containmentIdSchema.options].sort());
    for (const id of ['network', 'host-files', 'environment', 'survivors', 'runner', 'written-bytes'])
      expect(notEnforced.map((each) => each.id)).toContain(id);
  });
});
