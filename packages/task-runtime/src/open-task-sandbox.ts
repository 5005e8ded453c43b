import type { OwnedSandbox, SandboxLimits, SandboxProvider, Task } from '@tadpole/contracts';
import { assertNothingReachable } from './assert-nothing-reachable.js';
import type { DependencyStore } from './create-dependency-store.js';
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
