export { createDockerProvider, type DockerProviderOptions } from './docker/create-docker-provider.js';
export { type DockerEngine, dockerEngineVersion } from './docker/docker-engine.js';
export { reapDockerSandboxes } from './docker/reap-docker-sandboxes.js';
export { createGrader } from './grading/create-grader.js';
export { createOutcomeCache, type OutcomeCache } from './grading/create-outcome-cache.js';
export { createTestExecutor } from './grading/create-test-executor.js';
export { hashTree, type TreeEntry } from './hash-tree.js';
export { createNamespaceProvider, type NamespaceProviderOptions } from './namespaces/create-namespace-provider.js';
export { reapStaleControlGroups } from './namespaces/reap-control-groups.js';
export { reapStaleSandboxes } from './namespaces/reap-stale-sandboxes.js';
export { applySpanEdits } from './snapshots/apply-span-edits.js';
export { createDependencyStore, type DependencyStore } from './snapshots/create-dependency-store.js';
export { createImpactMap, type ImpactMap } from './snapshots/impact/create-impact-map.js';
export type { ReachOptions } from './snapshots/impact/measure-reach.js';
export type { MissingPackage } from './snapshots/inspection/find-dependencies.js';
export {
  type InspectedRepository,
  type InspectOptions,
  inspectRepository,
  type RepositoryOverrides,
} from './snapshots/inspection/inspect-repository.js';
export type { RepositoryLanguage } from './snapshots/inspection/path-roles.js';
export type { SetAsideTest } from './snapshots/judge-runs.js';
export { openRepository } from './snapshots/open-repository.js';
export { type OpenedSnapshot, type OpenSnapshotOptions, openSnapshot } from './snapshots/open-snapshot.js';
export { assertNothingReachable } from './tasks/assert-nothing-reachable.js';
export type { TaskFiles } from './tasks/check-task-files.js';
export { foreignTaskLimits } from './tasks/foreign-task.js';
export { lintTestIds, type TestIdProblem } from './tasks/lint-test-ids.js';
export { createTaskOpener, openTaskSandbox } from './tasks/open-task-sandbox.js';
export { readCertificate, readTask } from './tasks/read-task.js';
export {
  readSweBenchPredictions,
  type SweBenchPrediction,
  sweBenchPredictionSchema,
  writeSweBenchPredictions,
} from './tasks/swe-bench-predictions.js';
export {
  readSweBenchInstances,
  readSweSmithInstances,
  type SweBenchInstance,
  type SweSmithInstance,
  sweBenchInstanceSchema,
  sweSmithInstanceSchema,
} from './tasks/swe-instances.js';
export { taskHash } from './tasks/task-hash.js';
export { type SweTaskOptions, writeSweBenchTask, writeSweSmithTask } from './tasks/write-swe-task.js';
export { writeTask } from './tasks/write-task.js';
export { createUnsafeProcessProvider, type UnsafeProcessProviderOptions } from './unsafe-process/create-unsafe-process-provider.js';
