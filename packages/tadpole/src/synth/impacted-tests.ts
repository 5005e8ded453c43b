import type { SandboxLimits, SandboxProvider, Snapshot } from '@tadpole/contracts';
import { createImpactMap, type DependencyStore, type ImpactMap } from '@tadpole/task-runtime';

/** Says which test files can see a change of some lines, as an impact map does; `undefined` where that is not known, as of a whole file. */
export type ImpactedTests = (
  change: { readonly file: string; readonly startLine: number; readonly endLine: number } | string,
) => readonly string[] | undefined;

/**
 * Measures the impact maps of snapshots and joins them. A file's path says which snapshot it is of; one that several have is
 * not known. @throws TadpoleError as `createImpactMap` does.
 */
export async function measureImpact(options: {
  snapshots: readonly Snapshot[];
  provider: SandboxProvider;
  limits: SandboxLimits;
  dependencyStoreOf: (snapshotHash: string) => DependencyStore;
  timeoutMs: number;
  signal?: AbortSignal;
}): Promise<ImpactedTests> {
  const { snapshots, dependencyStoreOf, ...settings } = options;
  const maps: { snapshot: Snapshot; map: ImpactMap }[] = [];
  for (const snapshot of snapshots) {
    const map = await createImpactMap({ ...settings, snapshot, dependencyStore: dependencyStoreOf(snapshot.hash) });
    maps.push({ snapshot, map });
  }
  return (change) => {
    if (typeof change === 'string') return undefined;
    const [found, ...more] = maps.filter(({ snapshot }) => snapshot.sourceFiles.includes(change.file));
    return more.length > 0 ? undefined : found?.map.testFilesFor(change);
  };
}
