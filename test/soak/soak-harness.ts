// The harness of the soak, a process that is killed at random points: rolls one task out against the endpoint, keeps
// every finished rollout in the journal, and goes on where an earlier one was killed. Prints what it holds at its end.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createChatPolicy, createRolloutJournal, leafTools, rollOut } from '@tadpole/leaf-harness';
import {
  createDependencyStore,
  createGrader,
  createNamespaceProvider,
  createOutcomeCache,
  createTaskOpener,
  readTask,
  reapStaleSandboxes,
  taskHash,
} from '@tadpole/task-runtime';
import { soakSeed } from './soak-plan.js';

const [folder, baseUrl, samples] = process.argv.slice(2) as [string, string, string];
const scratchDirectory = join(folder, 'scratch');
const task = await readTask(fileURLToPath(new URL('../../examples/tasks/clamp', import.meta.url)));
const reaped = await reapStaleSandboxes({ scratchDirectory });
const provider = createNamespaceProvider({ scratchDirectory, runId: 'soak' });
const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const dependencyStore = createDependencyStore({ nodeModules, into: join(folder, 'dependencies') });
const journal = createRolloutJournal({ file: join(folder, 'journal.jsonl') });
const rollouts = rollOut({
  tasks: [task],
  samplesPerTask: Number(samples),
  hashTask: taskHash,
  purpose: 'evaluation',
  policy: createChatPolicy({ baseUrl, apiKey: 'none', model: 'soak', timeoutMs: 2000, maxRetries: 3 }),
  weightsVersion: 'none',
  tools: leafTools(),
  grader: createGrader({ provider, dependencyStore, cache: createOutcomeCache() }),
  openSandbox: createTaskOpener({ provider, dependencyStore }),
  concurrency: 6,
  gradingConcurrency: 2,
  sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 100 },
  seedFor: ({ taskId, sample }) => soakSeed({ taskId, sample, purpose: 'evaluation' }),
  now: Date.now,
  journal,
});
const descriptors = () => readdirSync('/proc/self/fd').length;
let atStart: number | undefined;
let finished = 0;
for await (const _end of rollouts) {
  finished += 1;
  // What the first rollouts open for good is no leak.
  if (finished === 20) atStart = descriptors();
}
journal.close();
await provider.disposeAll();
console.log(JSON.stringify({ finished, reaped: reaped.length, descriptors: [atStart ?? descriptors(), descriptors()] }));
// Kept-alive connections to the endpoint would hold the process for a while.
process.exit(0);
