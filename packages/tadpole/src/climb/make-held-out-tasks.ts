import type { Snapshot, TadpoleEvent, Task } from '@tadpole/contracts';
import { type TaskDraft, validateProposals } from '@tadpole/taskpilot';
import { synthesisBody } from '../run/synthesis-body.js';
import type { ClimbContext } from './climb-context.js';
import { draftTask, snapshotsOfSplit, validationSettings } from './draft-tasks.js';
import type { RepositorySnapshot } from './prepare-snapshots.js';

/** A held-out task with the draft it was written from. */
export interface HeldOutTask {
  readonly task: Task;
  readonly draft: TaskDraft;
}

/** Validates held-out tasks, which nothing measures, writes each as a Harbor folder and journals what became of every candidate. */
export async function* makeHeldOutTasks(options: {
  context: ClimbContext;
  snapshots: readonly RepositorySnapshot[];
}): AsyncGenerator<TadpoleEvent, readonly HeldOutTask[]> {
  const { context } = options;
  const { configuration } = context;
  const { signal } = context.options;
  const split = 'held-out' as const;
  const snapshots = snapshotsOfSplit({ ...options, split });
  const made: HeldOutTask[] = [];
  const process = validateProposals({
    ...validationSettings(context),
    snapshots,
    generator: context.heldOutGenerator,
    count: { 'held-out': configuration.heldOut.tasks },
    splitOf: () => split,
    seed: `${configuration.seed} ${split} 0`,
    concurrency: configuration.concurrency.validation,
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const event of process) {
    if (event.type === 'candidate-validate') {
      const { draft } = event;
      const snapshot = snapshots.find(({ hash }) => hash === draft.data.lineage.snapshotHash) as Snapshot;
      made.push({ draft, task: await draftTask({ context, draft, snapshot }) });
    }
    yield context.recordOnce(synthesisBody({ event, iteration: 0 }));
  }
  return made;
}
