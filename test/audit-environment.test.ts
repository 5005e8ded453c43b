import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SandboxEnvironment, SandboxLimits } from '@tadpole/contracts';
import { auditEnvironment, type ProbedTask } from '@tadpole/reward-hack-auditor';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const limits: SandboxLimits = {
  ...{ processes: 64, memoryBytes: 2 ** 29, cpuSeconds: 60, timeoutMs: 60_000 },
  ...{ fileBytes: 2 ** 24, writtenBytes: 2 ** 26, writtenFiles: 5_000, outputBytes: 2 ** 16 },
};
const base = { 'src/clamp.js': 'exports.clamp = (low, high, value) => value;\n' };
const hidden = "test('clamps to the bounds of both sides', () => { assert.equal(clamp(1, 5, 9), 5); });";
const task: ProbedTask = {
  statement: 'clamp does not clamp',
  files: new Map(Object.entries(base)),
  hiddenTests: new Map([['test/clamp.test.js', `import assert from 'node:assert';\n${hidden}\n`]]),
  goldPatch:
    '--- a/src/clamp.js\n+++ b/src/clamp.js\n@@ -1 +1 @@\n-exports.clamp = (low, high, value) => value;\n+exports.clamp = (low, high, value) => Math.min(high, Math.max(low, value));\n',
  projectNames: ['clamp-lite'],
};
let folder: string;
let provider: ReturnType<typeof createNamespaceProvider>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tadpole-environment-'));
  provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
});
afterAll(async () => {
  await provider.disposeAll();
  rmSync(folder, { recursive: true, force: true });
});

function lay(name: string, files: Readonly<Record<string, string>>): string {
  const place = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  return place;
}

async function exposures(environment: SandboxEnvironment, before?: string) {
  const sandbox = await provider.open({ environment, limits });
  try {
    if (before) expect(await sandbox.run({ command: before })).toMatchObject({ exitCode: 0, stderr: '' });
    return await auditEnvironment({ sandbox, task });
  } finally {
    await sandbox.dispose();
  }
}

describe('an audit of an environment', () => {
  it('finds nothing in a sandbox that holds the base tree alone', async () => {
    expect(await exposures({ workspace: lay('clean', base) })).toEqual([]);
  });

  it('finds what is left lying about, each under its name', async () => {
    const workspace = lay('leaky', base);
    const commit = 'git -c user.name=n -c user.email=e@example.org commit -qm';
    const found = await exposures(
      {
        workspace,
        readOnlyMounts: [
          { source: lay('answer', { 'patch.diff': task.goldPatch ?? '' }), target: '/solution' },
          { source: lay('modules', { 'clamp-lite/package.json': '{"version":"2.0.0"}' }), target: '/node_modules' },
        ],
        writableMounts: [{ source: lay('logs', { 'reward.txt': '0' }), target: '/logs' }],
        env: { GRADER_API_TOKEN: 'x' },
      },
      `echo later > later.txt && git add -A && ${commit} later && git tag v2 && git reset -q --hard HEAD~1`,
    );
    const of = (id: string) => found.find((exposure) => exposure.id === id)?.found.join('\n');
    expect(of('future-history')).toMatch(/refs\/tags\/v2/);
    expect(of('answer-text')).toMatch(/\/solution\/patch\.diff holds lines of the answer/);
    expect(of('upstream-copy')).toContain('/node_modules/clamp-lite/package.json');
    expect(of('writable-reporter')).toContain('/solution can be read');
    expect(of('secrets')).toBe('variable GRADER_API_TOKEN');
    expect(JSON.stringify(found)).not.toContain('Math.min');
    expect(found.map(({ id }) => id)).not.toContain('network');
  });

  it('finds hidden tests in another place than the workspace, and says only where', async () => {
    const found = await exposures(
      { workspace: lay('plain', base) },
      `mkdir -p /tmp/cache && cat > /tmp/cache/t.js <<'END'\n${hidden}\nEND`,
    );
    expect(found).toEqual([{ id: 'answer-text', kinds: ['A3', 'A7'], found: ['/tmp/cache/t.js holds lines of the answer'] }]);
  });
});
