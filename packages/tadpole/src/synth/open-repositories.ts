import { join } from 'node:path';
import { type SandboxLimits, type SandboxProvider, type Snapshot, TadpoleError, type TestExecutor } from '@tadpole/contracts';
import { createDependencyStore, createTestExecutor, type DependencyStore, openRepository } from '@tadpole/task-runtime';
import { recordExecutions } from '../run/recorded-executor.js';
import { boundExecutions } from './bounded-executor.js';
import type { SourceRepository } from './source-repository.js';

/** A folder that was opened. */
export interface RepositoryOpenEvent {
  readonly type: 'repository-open';
  readonly source: string;
  readonly hash: string;
  readonly licence: string;
  readonly runner: string;
  readonly tests: number;
  readonly setAside: number;
  /** What was decided, assumed or could not be found out, for people. */
  readonly notes: readonly string[];
}

/** Folders as snapshots, with what runs their tests. */
export interface OpenedRepositories {
  readonly snapshots: readonly Snapshot[];
  /** Runs tests of any of them, none much longer than the untouched suite took. */
  readonly executor: TestExecutor;
  /** The packages that a snapshot's tests may import. */
  dependencyStoreOf(snapshotHash: string): DependencyStore;
  /** Complete untouched runs that stand behind each baseline at least. */
  readonly baselineRuns: number;
}

/** Untouched runs of a suite in its own order; one more is in another where it has several files. */
const ownRuns = 3;

/**
 * Opens folders one after the other and says what was found in each.
 *
 * @throws TadpoleError as `openRepository` does; `invalid-input` for two folders that hold the same.
 */
export async function* openRepositories(options: {
  repositories: readonly SourceRepository[];
  provider: SandboxProvider;
  limits: SandboxLimits;
  /** Folder for snapshots and packages. */
  scratch: string;
  /** Folder in which every execution is kept, see `recordExecutions`. @default nothing is kept */
  records?: string;
  /** Wall time of one run of a suite. */
  timeoutMs: number;
  signal?: AbortSignal;
}): AsyncGenerator<RepositoryOpenEvent, OpenedRepositories> {
  const { provider, limits, scratch, records, timeoutMs, signal } = options;
  const snapshots: Snapshot[] = [];
  const parts = new Map<string, { executor: TestExecutor; dependencyStore: DependencyStore }>();
  for (const [index, { directory, nodeModules, pythonPackages, licence: stated }] of options.repositories.entries()) {
    const dependencyStore = createDependencyStore({ nodeModules, into: join(scratch, 'dependencies', String(index)) });
    const runs = createTestExecutor({ provider, dependencyStore, limits });
    const executor = boundExecutions({ executor: records === undefined ? runs : recordExecutions({ executor: runs, folder: records }) });
    const opened = await openRepository({
      ...{ directory, nodeModules, pythonPackages, executor, runs: ownRuns, timeoutMs, signal },
      into: join(scratch, 'snapshots', String(index)),
      ...(stated === undefined ? {} : { overrides: { licence: stated } }),
    });
    executor.bound();
    const { snapshot } = opened;
    const { source, hash, licence, runner, baseline, setAside } = snapshot;
    const other = snapshots.find((earlier) => earlier.hash === hash || earlier.source === source);
    if (other !== undefined) {
      const message = `Expected folders of different repositories, got ${directory}, which is ${source} like one before it.`;
      throw new TadpoleError({ code: 'invalid-input', message });
    }
    snapshots.push(snapshot);
    parts.set(hash, { executor, dependencyStore });
    const counts = { tests: baseline.length, setAside: setAside.length };
    yield { type: 'repository-open', source, hash, licence, runner, ...counts, notes: opened.repository.notes };
  }
  const partsOf = (hash: string) => parts.get(hash) as { executor: TestExecutor; dependencyStore: DependencyStore };
  return {
    snapshots,
    executor: { execute: (run) => partsOf(run.snapshot.hash).executor.execute(run) },
    dependencyStoreOf: (hash) => partsOf(hash).dependencyStore,
    baselineRuns: snapshots.every(({ testFiles }) => testFiles.length > 1) ? ownRuns + 1 : ownRuns,
  };
}
