import { mkdir } from 'node:fs/promises';
import type { Generator, SandboxProvider, Task } from '@tadpole/contracts';
import {
  behaviourPreservingRewrites,
  createMutationGenerator,
  type RefuseEvent,
  siblingMutants,
  type TemplateRung,
  validateProposals,
} from '@tadpole/taskpilot';
import { openRepositories, type RepositoryOpenEvent } from './open-repositories.js';
import type { SourceRepository } from './source-repository.js';
import { synthesisLimits } from './synthesis-limits.js';
import { writeDraft } from './write-draft.js';

/** A task that was written. */
export interface TaskWriteEvent {
  readonly type: 'task-write';
  readonly task: Task;
  readonly operator: string;
}

/** What {@link validateRepository} reports. */
export type ValidationEvent = RepositoryOpenEvent | RefuseEvent | TaskWriteEvent;

/**
 * From bare folders to task folders without a policy: opens the repositories, proposes bugs, validates each by execution and
 * writes those that hold, with their certificates. Nothing is measured: the tasks' difficulty is not known. For that see
 * `synthesizeRepository`.
 *
 * @returns how many tasks were written, and whether the generator ended before the count was reached.
 * @throws TadpoleError as `openRepository` and `validateProposals` do; `storage` when a task cannot be written.
 */
export async function* validateRepository(options: {
  repositories: readonly SourceRepository[];
  provider: SandboxProvider;
  /** @default createMutationGenerator() */
  generator?: Generator;
  count: number;
  seed: number;
  /** @default 'file' */
  rung?: TemplateRung;
  /** Folder of task folders. */
  into: string;
  /** Folder for snapshots and what is removed again. */
  scratch: string;
  /** Wall time of one run of the suite. @default 60000 */
  timeoutMs?: number;
  signal?: AbortSignal;
}): AsyncGenerator<ValidationEvent, { written: number; exhausted: boolean }> {
  const { repositories, provider, generator = createMutationGenerator(), count, seed, into, scratch, signal } = options;
  const { rung = 'file', timeoutMs = 60_000 } = options;
  const stop = signal === undefined ? {} : { signal };
  const opened = yield* openRepositories({ repositories, provider, limits: synthesisLimits, scratch, timeoutMs, ...stop });
  const { snapshots, executor, baselineRuns } = opened;

  await mkdir(into, { recursive: true });
  const candidates = validateProposals({
    ...{ snapshots, generator, executor, count, seed, rung, limits: synthesisLimits, timeoutMs, baselineRuns },
    // The gold patch gives back the snapshot's bytes, which passed in every one of those runs.
    goldRuns: 0,
    controls: { wrongFixes: siblingMutants({ marginLines: 3 }), otherFixes: behaviourPreservingRewrites() },
    ...stop,
  });
  let written = 0;
  let step = await candidates.next();
  for (; step.done !== true; step = await candidates.next()) {
    if (step.value.type === 'candidate-validate') {
      const { draft, operator } = step.value;
      const snapshot = snapshots.find(({ hash }) => hash === draft.data.lineage.snapshotHash);
      if (snapshot === undefined) continue;
      const task = await writeDraft({ draft, snapshot, into, scratch });
      written += 1;
      yield { type: 'task-write', task, operator };
    } else yield step.value;
  }
  return { written, exhausted: step.value.exhausted };
}
