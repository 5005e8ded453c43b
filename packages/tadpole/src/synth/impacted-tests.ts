import type { SandboxLimits, SandboxProvider, Snapshot } from '@tadpole/contracts';
import { createImpactMap, type DependencyStore, type ImpactMap } from '@tadpole/task-runtime';
import type { TestFilesFor } from '@tadpole/taskpilot';

/** Measures the impact maps of snapshots and joins them. @throws TadpoleError as `createImpactMap` does. */
export async function measureImpact(options: {
  snapshots: readonly Snapshot[];
  provider: SandboxProvider;
  limits: SandboxLimits;
  dependencyStoreOf: (snapshotHash: string) => DependencyStore;
  timeoutMs: number;
  signal?: AbortSignal;
}): Promise<TestFilesFor> {
  const { snapshots, dependencyStoreOf, ...settings } = options;
  const maps = new Map<string, ImpactMap>();
  for (const snapshot of snapshots) {
    maps.set(snapshot.hash, await createImpactMap({ ...settings, snapshot, dependencyStore: dependencyStoreOf(snapshot.hash) }));
  }
  return ({ snapshot, ...change }) => maps.get(snapshot.hash)?.testFilesFor(change);
}
