import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Generator, SandboxLimits, SandboxProvider, Task } from '@tadpole/contracts';
import { createDependencyStore, createTestExecutor, openRepository } from '@tadpole/task-runtime';
import { behaviourPreservingRewrites, createMutationGenerator, type SynthesisEvent, siblingMutants, synthesize } from '@tadpole/taskpilot';
import { writeDraft } from './write-draft.js';

/** Limits of the sandboxes in which a repository's suite is run, and in which its tasks are worked on and graded. */
const synthesisLimits: SandboxLimits = {
  ...{ processes: 128, memoryBytes: 2 ** 31, cpuSeconds: 120, timeoutMs: 120_000, fileBytes: 2 ** 26 },
  ...{ writtenBytes: 2 ** 28, writtenFiles: 20_000, outputBytes: 2 ** 16 },
};

/** Untouched runs of a suite in its own order; one more is in another. */
const ownRuns = 3;

/** What {@link synthesizeRepository} reports. */
export type RepositoryEvent =
  | {
      readonly type: 'repository-open';
      readonly source: string;
      readonly licence: string;
      readonly runner: string;
      readonly tests: number;
      readonly setAside: number;
      /** What was decided, assumed or could not be found out, for people. */
      readonly notes: readonly string[];
    }
  | Exclude<SynthesisEvent, { type: 'candidate-validate' }>
  | { readonly type: 'task-write'; readonly task: Task; readonly operator: string };

/**
 * From a bare folder to task folders: opens the repository, proposes bugs, validates each by execution and writes those that
 * hold, with their certificates. Nothing is measured: the tasks' difficulty is not known.
 *
 * @returns how many tasks were written, and whether the generator ended before the count was reached.
 * @throws TadpoleError as `openRepository` and `synthesize` do; `storage` when a task cannot be written.
 */
export async function* synthesizeRepository(options: {
  directory: string;
  /** Installed packages that hold what its tests import. */
  nodeModules: string;
  /** Python modules that the system lacks. @default none */
  pythonPackages?: string;
  provider: SandboxProvider;
  /** @default createMutationGenerator() */
  generator?: Generator;
  count: number;
  seed: number;
  /** Folder of task folders. */
  into: string;
  /** Folder for the snapshot and what is removed again. */
  scratch: string;
  /** Wall time of one run of the suite. @default 60000 */
  timeoutMs?: number;
  signal?: AbortSignal;
}): AsyncGenerator<RepositoryEvent, { written: number; exhausted: boolean }> {
  const {
    directory,
    nodeModules,
    pythonPackages,
    provider,
    generator = createMutationGenerator(),
    scratch,
    timeoutMs = 60_000,
    signal,
  } = options;
  const dependencyStore = createDependencyStore({ nodeModules, into: join(scratch, 'dependencies') });
  const executor = createTestExecutor({ provider, dependencyStore, limits: synthesisLimits });
  const { snapshot, repository } = await openRepository({
    ...{ directory, nodeModules, pythonPackages, executor, runs: ownRuns, timeoutMs, signal },
    into: join(scratch, 'snapshot'),
  });
  const { source, licence, runner } = snapshot;
  const counts = { tests: snapshot.baseline.length, setAside: snapshot.setAside.length };
  yield { type: 'repository-open', source, licence, runner, ...counts, notes: repository.notes };

  await mkdir(options.into, { recursive: true });
  const candidates = synthesize({
    ...{ snapshots: [snapshot], generator, executor, count: options.count, seed: options.seed, limits: synthesisLimits, timeoutMs },
    // The gold patch gives back the snapshot's bytes, which passed in every one of those runs.
    ...{ baselineRuns: ownRuns + 1, goldRuns: 0 },
    controls: { wrongFixes: siblingMutants({ marginLines: 3 }), otherFixes: behaviourPreservingRewrites() },
    ...{ rung: 'file', ...(signal === undefined ? {} : { signal }) },
  });
  let written = 0;
  let step = await candidates.next();
  for (; step.done !== true; step = await candidates.next()) {
    if (step.value.type === 'candidate-validate') {
      const { draft, operator } = step.value;
      const task = await writeDraft({ draft, snapshot, into: options.into, scratch });
      written += 1;
      yield { type: 'task-write', task, operator };
    } else yield step.value;
  }
  return { written, exhausted: step.value.exhausted };
}
