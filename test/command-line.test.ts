import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { recipeConfiguration } from 'tadpole';
import { describe, expect, it } from 'vitest';
import { configurationFile, tadpole, temporaryFolder, tinyOverrides } from './tiny-recipe.js';

describe('the tadpole command', () => {
  it('refuses an unknown flag with a suggestion and exit code 2', async () => {
    const { code, stderr } = await tadpole(['run', '--budgte', 'small']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--budget/);
  });

  it('refuses an unknown command with a suggestion', async () => {
    const { code, stderr } = await tadpole(['docter']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/doctor/);
  });

  it.each([['-1'], ['1.5'], ['x'], ['']])('refuses the seed %j', async (seed) => {
    expect((await tadpole(['run', '--seed', seed])).code).toBe(2);
  });

  it('refuses an unknown configuration key with a suggestion', async () => {
    const config = configurationFile({ training: { groupsize: 4 } });
    const { code, stderr } = await tadpole(['run', '--config', config, '--out', join(temporaryFolder(), 'run')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/training\.groupsize.*groupSize/);
  });

  it('refuses an unknown operator with a suggestion', async () => {
    const config = configurationFile({ ...tinyOverrides, synthesis: { operators: ['negate-conditions'] } });
    const { code, stderr } = await tadpole(['run', '--config', config, '--out', join(temporaryFolder(), 'run')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/negate-conditions.*negate-condition/);
  });

  it('refuses to resume where there is no run', async () => {
    const { code, stderr } = await tadpole(['run', '--resume', temporaryFolder()]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/run\.json/);
  });

  it('refuses a folder that already holds a run', async () => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, 'run.json'), '{}');
    const { code, stderr } = await tadpole(['run', '--out', directory]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/--resume/);
  });

  it('refuses a repository without the named tests, and names what is missing', async () => {
    const repositories = tinyOverrides.repositories.map((repository) => ({ ...repository, testFiles: ['no-such-test.js'] }));
    const config = configurationFile({ ...tinyOverrides, repositories });
    const { code, stderr } = await tadpole(['run', '--budget', 'small', '--config', config, '--out', join(temporaryFolder(), 'run')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no-such-test\.js/);
  });

  it('refuses a repository whose suite fails untouched, with the output of the suite', async () => {
    // rbtree's own folder holds no test runner of the named kind, so that mocha cannot run its tape tests.
    const repositories = tinyOverrides.repositories.map((repository) => ({
      ...repository,
      dropPaths: [...(repository.dropPaths ?? []), ...repository.sourceFiles.slice(1)],
      dependencies: [],
    }));
    const config = configurationFile({ ...tinyOverrides, repositories });
    const { code, stderr } = await tadpole(['run', '--budget', 'small', '--config', config, '--out', join(temporaryFolder(), 'run')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/tape/);
  });

  it('refuses an empty --out, two folders, and packages that are not installed, before it makes a folder', async () => {
    expect((await tadpole(['run', '--out', ''])).stderr).toMatch(/--out: expected a folder/);
    expect((await tadpole(['run', '--resume', 'a', '--out', 'b'])).stderr).toMatch(/with --resume or with --out, got both/);
    const repositories = tinyOverrides.repositories.map((repository) => ({ ...repository, dependencies: ['no-such-package'] }));
    const out = join(temporaryFolder(), 'run');
    const { code, stderr } = await tadpole(['run', '--config', configurationFile({ ...tinyOverrides, repositories }), '--out', out]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/expected the package "no-such-package"/);
    expect(existsSync(out)).toBe(false);
  });

  it('stops with a storage error when the run folder cannot be made', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code, stderr } = await tadpole(['run', '--out', join(file, 'run')]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/Expected to write/);
  });

  it('checks this machine and prints one JSON document when asked', async () => {
    const { code, stdout } = await tadpole(['doctor', '--json']);
    const { checks, containment } = JSON.parse(stdout) as { checks: { name: string; ok: boolean }[]; containment: { enforced: unknown[] } };
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(containment.enforced.length).toBeGreaterThan(3);
    expect(code).toBe(0);
  });

  it('collects what a killed process left of its sandboxes, below a folder of runs, and nothing of a living one', async () => {
    const runs = temporaryFolder();
    const scratchDirectory = join(runs, 'some-run', 'scratch');
    const living = createNamespaceProvider({ scratchDirectory });
    const workspace = temporaryFolder();
    const sandbox = await living.open({ environment: { workspace }, limits: recipeConfiguration('small').agent.limits });
    // What is left of a process is the folder with its label: here with the number of one that cannot live.
    mkdirSync(join(scratchDirectory, 'sandbox-4194305-1'));
    const { code, stdout } = await tadpole(['gc', runs, '--json']);
    expect(code).toBe(0);
    const folders = (text: string) => (JSON.parse(text) as { removed: string[] }).removed.filter((name) => name.startsWith(runs));
    expect(folders(stdout)).toEqual([join(scratchDirectory, 'sandbox-4194305-1')]);
    expect((await sandbox.run({ command: 'echo alive' })).stdout).toBe('alive\n');
    await sandbox.dispose();
    expect(folders((await tadpole(['gc', runs, '--json'])).stdout)).toEqual([]);
    expect((await tadpole(['gc', join(runs, 'absent')])).code).toBe(2);
  });

  it('writes no report of a folder that holds no run', async () => {
    const directory = join(temporaryFolder(), 'empty');
    mkdirSync(directory);
    expect((await tadpole(['report', directory])).code).toBe(2);
  });
});
