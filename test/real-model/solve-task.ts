import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, Policy, Task, Trajectory } from '@tadpole/contracts';
import { createEditTool, runAgent } from '@tadpole/leaf-harness';
import { createDependencyStore, createGrader, createNamespaceProvider, openTaskSandbox } from '@tadpole/task-runtime';
import { maximumTask } from './maximum-task.js';

/** Lets a policy work on the small task in a real sandbox, with the tool Edit alone, and grades the patch it leaves and an empty one. */
export async function solveTask({ policy }: { policy: Policy }): Promise<{
  task: Task;
  trajectory: Trajectory;
  outcome: Outcome;
  emptyOutcome: Outcome;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-real-model-run-'));
  const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
  const dependencyStore = createDependencyStore({ nodeModules: 'node_modules', into: join(folder, 'dependencies') });
  try {
    const task = await maximumTask({ folder });
    const sandbox = await openTaskSandbox({ task, provider, dependencyStore });
    const run = runAgent({
      id: 'real-model',
      taskId: task.data.id,
      instruction: task.data.instruction,
      policy,
      tools: [createEditTool()],
      sandbox,
      sampling: { temperature: 0, topP: 1, topK: 0, maxTokens: 120, seed: 1 },
      limits: { maxTurns: 4 },
      now: Date.now,
    });
    let step = await run.next();
    while (!step.done) step = await run.next();
    await sandbox.dispose();
    const grader = createGrader({ provider, dependencyStore });
    return {
      task,
      trajectory: step.value,
      outcome: await grader.grade({ task, patch: step.value.patch }),
      emptyOutcome: await grader.grade({ task, patch: '' }),
    };
  } finally {
    await provider.disposeAll();
    await rm(folder, { recursive: true, force: true });
  }
}
