// Make tasks from a folder with a generator of your own beside ours, as hard as a policy can almost solve.
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Generator } from '@tadpole/contracts';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { createRepairPolicy, mutationGenerators } from '@tadpole/taskpilot';
import { createSynthesisStore, synthesizeRepository } from 'tadpole';

/** One file and one function make a generator: this one gives a number one less. Execution decides whether a test notices. */
const oneLess: Generator = {
  name: 'one-less',
  async *propose({ snapshot }) {
    for (const file of snapshot.sourceFiles) {
      const text = await readFile(join(snapshot.directory, file), 'utf8');
      for (const { index, 0: number } of text.matchAll(/(?<=return )\d+(?=;)/g)) {
        const edits = [{ file, start: index, end: index + number.length, text: String(Number(number) - 1) }];
        yield { edits, lineage: { generator: 'mine', operator: 'one-less', file, line: text.slice(0, index).split('\n').length } };
      }
    }
  },
};

const folder = await mkdtemp(join(tmpdir(), 'tadpole-example-'));
const now = () => new Date();
const store = createSynthesisStore({ directory: join(folder, 'synthesis'), settings: { example: true }, now });
const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
const tasks = synthesizeRepository({
  store,
  repositories: [{ directory: resolve('node_modules/sorted-array-functions'), nodeModules: resolve('node_modules') }],
  provider,
  // Any policy: an endpoint's, a sampler with its renderer, or this one, which is no model.
  actor: { policy: createRepairPolicy(), weightsVersion: 'repair' },
  rollouts: {
    limits: { maxTurns: 3 },
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 1000 },
    concurrency: { agents: 4, grading: 2 },
  },
  generators: [...mutationGenerators(), oneLess],
  count: 1,
  band: [0.1, 0.9],
  rung: 'quoted-line',
  budget: { rollouts: 60 },
  seed: 1,
  now,
});
try {
  for await (const event of tasks) {
    if (event.type === 'repository-open') console.log(`${event.source}: ${event.tests} tests pass`);
    if (event.type === 'candidate-refuse') console.log(`${event.operator} is no task: ${event.reason}`);
    if (event.type === 'candidate-calibrate') console.log(`solved ${event.successes} of ${event.trials}: ${event.verdict}`);
    if (event.type === 'task-write') console.log(`${event.task.data.instruction}\nin ${event.task.directory}`);
  }
} finally {
  store.close();
  await provider.disposeAll();
}
