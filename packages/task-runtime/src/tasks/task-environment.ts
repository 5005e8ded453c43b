import { existsSync } from 'node:fs';
import { type SandboxEnvironment, TadpoleError, type Task } from '@tadpole/contracts';
import { packageName } from '../grading/create-test-executor.js';
import type { DependencyStore } from '../snapshots/create-dependency-store.js';
import { taskFolder } from './task-folder.js';

/**
 * What agent and grader alike start from: the task's workspace, its image and variables, its packages at `/node_modules`.
 *
 * @throws TadpoleError `invalid-input` for a task whose files are in its image alone, and as the dependency store does.
 */
export async function taskEnvironment(options: { task: Task; dependencyStore: DependencyStore }): Promise<SandboxEnvironment> {
  const { environment, lineage } = options.task.data;
  const { workspace } = taskFolder(options.task.directory);
  if (!existsSync(workspace)) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `expected the files that the agent gets at ${workspace}, found none; copy them there from the task's image`,
    });
  }
  const exclude = lineage.kind === 'generated' ? packageName(lineage.source) : undefined;
  return {
    workspace,
    workspacePath: environment.workspacePath,
    ...(environment.image === undefined ? {} : { image: environment.image }),
    ...(environment.env === undefined ? {} : { env: environment.env }),
    readOnlyMounts: [
      { source: await options.dependencyStore.directoryFor(environment.dependencies, { exclude }), target: '/node_modules' },
    ],
  };
}
