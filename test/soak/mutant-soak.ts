// `npm run soak:mutants`: two hundred mutants of a real package are tested, endless loops and memory eaters among them. Each
// ends by itself or is ended, and nothing of them is left: no process, no mount, no folder.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxLimits, TestRun, TreeEdit } from '@tadpole/contracts';
import { createDependencyStore, createNamespaceProvider, createTestExecutor, openRepository } from '@tadpole/task-runtime';
import { createMutationGenerator, seededRandom } from '@tadpole/taskpilot';
import { processesWith } from './inject-faults.js';

const [loops, eaters, all] = [10, 5, 200];
const limits: SandboxLimits = {
  ...{ processes: 32, memoryBytes: 2 ** 28, cpuSeconds: 4, timeoutMs: 10_000 },
  ...{ fileBytes: 2 ** 22, writtenBytes: 2 ** 25, writtenFiles: 2_000, outputBytes: 2 ** 16 },
};
const folder = mkdtempSync(join(tmpdir(), 'tadpole-mutants-'));
const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
try {
  const dependencyStore = createDependencyStore({ nodeModules, into: join(folder, 'dependencies') });
  const executor = createTestExecutor({ provider, dependencyStore, limits });
  const directory = join(folder, 'repository');
  cpSync(join(nodeModules, 'hash.js'), directory, { recursive: true });
  const { snapshot } = await openRepository({ directory, nodeModules, executor, into: join(folder, 'snapshot') });

  const file = 'lib/hash/common.js';
  const text = readFileSync(join(snapshot.directory, file), 'utf8');
  const prefixed = (statement: string): readonly TreeEdit[] => [{ file, content: `${statement}\n${text}` }];
  const mutants: { kind: string; edits: readonly TreeEdit[] }[] = [
    ...Array.from({ length: loops }, (_, index) => ({ kind: 'loop', edits: prefixed(`for (let i = ${index}; ; i++) Math.sqrt(i);`) })),
    ...Array.from({ length: eaters }, (_, index) => ({
      kind: 'eater',
      edits: prefixed(`const hoard = []; for (;;) hoard.push(Buffer.alloc(${2 ** 20 + index}, 1));`),
    })),
  ];
  for await (const { edits } of createMutationGenerator().propose({ snapshot, random: seededRandom('mutants') })) {
    if (mutants.length === all) break;
    mutants.push({ kind: 'mutant', edits });
  }
  assert.equal(mutants.length, all);

  const ends: Record<string, number> = {};
  const waiting = mutants.values();
  const work = async () => {
    for (const { kind, edits } of waiting) {
      const run: TestRun = await executor.execute({ snapshot, edits, timeoutMs: 8_000 });
      const end = run.status !== 'completed' ? run.status : run.tests.every(({ status }) => status !== 'failed') ? 'passed' : 'failed';
      if (kind !== 'mutant') assert.notEqual(run.status, 'completed', `an endless ${kind} completed`);
      ends[`${kind} ${end}`] = (ends[`${kind} ${end}`] ?? 0) + 1;
    }
  };
  await Promise.all([work(), work()]);
  await provider.disposeAll();

  const left = processesWith(folder);
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.includes(folder));
  assert.deepEqual(left, [], 'processes are left');
  assert.deepEqual(mounts, [], 'mounts are left');
  assert.deepEqual(readdirSync(join(folder, 'scratch')), ['bases'], 'sandboxes are left');
  process.stdout.write(`${JSON.stringify({ mutants: all, ends, processes: left.length, mounts: mounts.length })}\n`);
} finally {
  await provider.disposeAll();
  rmSync(folder, { recursive: true, force: true });
}
