import type { Snapshot, Task } from '@tadpole/contracts';
import type { TaskDraft, ValidationSettings } from '@tadpole/taskpilot';
import { writeDraft } from '../synth/write-draft.js';
import type { ClimbContext } from './climb-context.js';
import { baselineRuns, type RepositorySnapshot } from './prepare-snapshots.js';

/** How a run validates its candidates. */
export function validationSettings(context: ClimbContext): ValidationSettings {
  const { agent, synthesis } = context.configuration;
  return {
    executor: context.recordedExecutor,
    limits: agent.limits,
    rung: synthesis.statementRung,
    timeoutMs: synthesis.testTimeoutMs,
    baselineRuns,
    // The gold patch gives back the snapshot's bytes, which passed in every one of those runs.
    goldRuns: 0,
  };
}

/** The snapshots with the files of one split alone: held-out tasks come only from held-out files, training tasks only from the others. */
export function snapshotsOfSplit(options: { snapshots: readonly RepositorySnapshot[]; split: 'train' | 'held-out' }): readonly Snapshot[] {
  return options.snapshots.flatMap(({ repository, snapshot }) => {
    const heldOut = new Set(repository.heldOutFiles);
    const sourceFiles = snapshot.sourceFiles.filter((file) => heldOut.has(file) === (options.split === 'held-out'));
    return sourceFiles.length === 0 ? [] : [{ ...snapshot, sourceFiles }];
  });
}

/** A draft as a Harbor folder of the run; one that is there already is read. */
export async function draftTask(options: { context: ClimbContext; draft: TaskDraft; snapshot: Snapshot }): Promise<Task> {
  const { store } = options.context;
  return await writeDraft({ ...options, into: store.folder('tasks'), scratch: store.folder('scratch') });
}
