export { applySpanEdits } from './apply-span-edits.js';
export { assertNothingReachable } from './assert-nothing-reachable.js';
export type { TaskFiles } from './check-task-files.js';
export { createDependencyStore, type DependencyStore } from './create-dependency-store.js';
export { createGrader } from './create-grader.js';
export { createNamespaceProvider, type NamespaceProviderOptions } from './create-namespace-provider.js';
export { createOutcomeCache, type OutcomeCache } from './create-outcome-cache.js';
export { createTestExecutor } from './create-test-executor.js';
export { createDockerProvider, type DockerProviderOptions } from './docker/create-docker-provider.js';
export { type DockerEngine, dockerEngineVersion } from './docker/docker-engine.js';
export { reapDockerSandboxes } from './docker/reap-docker-sandboxes.js';
export { foreignTaskLimits } from './foreign-task.js';
export { hashTree, type TreeEntry } from './hash-tree.js';
export { lintTestIds, type TestIdProblem } from './lint-test-ids.js';
export { type OpenedSnapshot, openSnapshot } from './open-snapshot.js';
export { createTaskOpener, openTaskSandbox } from './open-task-sandbox.js';
export { readCertificate, readTask } from './read-task.js';
export { reapStaleControlGroups } from './reap-control-groups.js';
export { reapStaleSandboxes } from './reap-stale-sandboxes.js';
export {
  readSweBenchPredictions,
  type SweBenchPrediction,
  sweBenchPredictionSchema,
  writeSweBenchPredictions,
} from './swe-bench-predictions.js';
export {
  readSweBenchInstances,
  readSweSmithInstances,
  type SweBenchInstance,
  type SweSmithInstance,
  sweBenchInstanceSchema,
  sweSmithInstanceSchema,
} from './swe-instances.js';
export { taskHash } from './task-hash.js';
export { createUnsafeProcessProvider, type UnsafeProcessProviderOptions } from './unsafe-process/create-unsafe-process-provider.js';
export { type SweTaskOptions, writeSweBenchTask, writeSweSmithTask } from './write-swe-task.js';
export { writeTask } from './write-task.js';
