import type { OwnedSandbox, SandboxLimits, SandboxProvider, Task } from '@tadpole/contracts';
import type { DependencyStore } from './create-dependency-store.js';
import { packageName } from './create-test-executor.js';
import { taskFolder } from './task-folder.js';

/**
 * Opens the agent's sandbox of a task: its workspace as one fresh commit, its packages at `/node_modules`, no hidden
 * file, no network.
 *
 * @throws TadpoleError as the provider and the dependency store do.
 */
export async function openTaskSandbox(options: {
  task: Task;
  provider: SandboxProvider;
  dependencyStore: DependencyStore;
  /** @default the task's own limits */
  limits?: SandboxLimits;
  signal?: AbortSignal;
}): Promise<OwnedSandbox> {
  const { environment, lineage, limits } = options.task.data;
  const modules = await options.dependencyStore.directoryFor(environment.dependencies, { exclude: packageName(lineage.source) });
  return options.provider.open({
    environment: {
      workspace: taskFolder(options.task.directory).workspace,
      workspaceKey: options.task.data.id,
      workspacePath: environment.workspacePath,
      readOnlyMounts: [{ source: modules, target: '/node_modules' }],
    },
    limits: options.limits ?? limits,
    signal: options.signal,
  });
}
