import type { OwnedSandbox, SandboxEnvironment, SandboxLimits, SandboxProvider, Task } from '@tadpole/contracts';
import type { DependencyStore } from '../snapshots/create-dependency-store.js';
import { assertNothingReachable } from './assert-nothing-reachable.js';
import { taskEnvironment } from './task-environment.js';

/**
 * Opens the agent's sandbox of a task: its workspace as one fresh commit, its packages at `/node_modules`, no hidden
 * file, no network. First it checks that the workspace does not give the answer away, and refuses otherwise.
 *
 * @throws TadpoleError `invalid-input` for a workspace with git history, a hidden file, or the answer; otherwise as the
 * provider and the dependency store do.
 */
export async function openTaskSandbox(options: {
  task: Task;
  provider: SandboxProvider;
  dependencyStore: DependencyStore;
  /** @default the task's own limits */
  limits?: SandboxLimits;
  signal?: AbortSignal;
}): Promise<OwnedSandbox> {
  const environment = await taskEnvironment(options);
  await assertNothingReachable(options.task);
  return options.provider.open({ environment, limits: options.limits ?? options.task.data.limits, signal: options.signal });
}

/**
 * Makes the function with which rollouts open sandboxes of tasks, as {@link openTaskSandbox} does: a task is checked with
 * its first sandbox and laid down once for all of them, since a task never changes under its id.
 */
export function createTaskOpener(options: {
  provider: SandboxProvider;
  dependencyStore: DependencyStore;
  /** @default each task's own limits */
  limits?: SandboxLimits;
}): (task: Task, signal: AbortSignal) => Promise<OwnedSandbox> {
  const { provider, dependencyStore, limits } = options;
  const checked = new Map<string, Promise<SandboxEnvironment>>();

  async function environmentOf(task: Task): Promise<SandboxEnvironment> {
    const environment = await taskEnvironment({ task, dependencyStore });
    await assertNothingReachable(task);
    return { ...environment, workspaceKey: task.data.id };
  }

  return async (task, signal) => {
    const key = JSON.stringify([task.directory, task.data]);
    const environment = checked.get(key) ?? environmentOf(task);
    checked.set(key, environment);
    environment.catch(() => checked.delete(key));
    return provider.open({ environment: await environment, limits: limits ?? task.data.limits, signal });
  };
}
