// Run the embedded policy as a Leaf agent on one task, in a sandbox, and grade what it leaves behind.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadBasePolicy } from '@tadpole/embedded-policy';
import { createTokenPolicy, leafTools, runAgent } from '@tadpole/leaf-harness';
import { createDependencyStore, createGrader, createNamespaceProvider, openTaskSandbox, readTask } from '@tadpole/task-runtime';

const folder = await mkdtemp(join(tmpdir(), 'tadpole-example-'));
const task = await readTask(fileURLToPath(new URL('./tasks/clamp', import.meta.url)));
const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
const dependencyStore = createDependencyStore({ nodeModules: 'node_modules', into: join(folder, 'dependencies') });

const { client, renderer, close } = await loadBasePolicy();
const sandbox = await openTaskSandbox({ task, provider, dependencyStore });
try {
  const policy = createTokenPolicy({ name: 'base', renderer, sampler: await client.createSampler() });
  const agent = runAgent({
    id: 'example',
    taskId: task.data.id,
    instruction: task.data.instruction,
    policy,
    tools: leafTools(),
    sandbox,
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 96, seed: 1 },
    limits: { maxTurns: 3 },
    now: Date.now,
  });
  let step = await agent.next();
  for (; !step.done; step = await agent.next()) {
    const event = step.value;
    if (event.type === 'message-end') for (const call of event.message.toolCalls) console.log(`${call.name} ${call.arguments}`);
    if (event.type === 'tool-end') console.log(event.content);
  }
  const trajectory = step.value;
  // Nothing of the agent runs while its work is graded.
  await sandbox.dispose();
  const outcome = await createGrader({ provider, dependencyStore }).grade({ task, patch: trajectory.patch });
  console.log(`stopped by ${trajectory.stopReason} after ${trajectory.turns.length} turns and ${trajectory.usage.completionTokens} tokens`);
  console.log(outcome.status === 'scored' ? `reward ${outcome.reward}` : `no score: ${outcome.detail}`);
} finally {
  await sandbox.dispose();
  await close();
}
