import { join } from 'node:path';
import type { TadpoleEvent, Task } from '@tadpole/contracts';
import { createCertificate, mutationOperators, patchStatistics, synthesize, type TaskDraft } from '@tadpole/taskpilot';
import { writeDraft } from '../synth/write-draft.js';
import type { CalibratedTask } from './calibrate-tasks.js';
import type { ClimbContext } from './climb-context.js';
import { baselineRuns, type RepositorySnapshot } from './prepare-snapshots.js';

/** A validated task with the draft it was written from. */
export interface MadeTask {
  readonly task: Task;
  readonly draft: TaskDraft;
}

/**
 * Synthesises validated tasks of one split and writes each as a Harbor folder. Held-out tasks come only from
 * held-out files, training tasks only from the others.
 */
export async function* makeTasks(options: {
  context: ClimbContext;
  snapshots: readonly RepositorySnapshot[];
  split: 'train' | 'held-out';
  iteration: number;
  count: number;
}): AsyncGenerator<TadpoleEvent, readonly MadeTask[]> {
  const { context, snapshots, split, iteration, count } = options;
  const { configuration } = context;
  const made: MadeTask[] = [];
  const process = synthesize({
    snapshots: restrictFiles({ snapshots, split }),
    generator: context.generator,
    executor: context.recordedExecutor,
    count,
    seed: `${configuration.seed} ${split} ${iteration}`,
    concurrency: configuration.concurrency.validation,
    limits: configuration.agent.limits,
    rung: configuration.synthesis.statementRung,
    timeoutMs: configuration.synthesis.testTimeoutMs,
    baselineRuns,
    // The gold patch gives back the snapshot's bytes, which passed in every one of those runs.
    goldRuns: 0,
    signal: context.options.signal,
  });
  for await (const event of process) {
    if (event.type === 'candidate-refuse') {
      const { type, candidateId, operator, source, reason, detail } = event;
      yield context.record({ type, iteration, candidateId, strategy: context.generator.name, operator, source, reason, detail });
      continue;
    }
    const { type, taskId, operator, source, failToPass, draft } = event;
    const { snapshot } = snapshots.find((entry) => entry.snapshot.hash === draft.data.lineage.snapshotHash) as RepositorySnapshot;
    made.push({
      draft,
      task: await writeDraft({ draft, snapshot, into: context.store.folder('tasks'), scratch: context.store.folder('scratch') }),
    });
    const { generator: strategy, statementRung } = draft.data.lineage;
    const operatorFamily = mutationOperators.find(({ name }) => name === operator)?.family ?? 'other';
    const patchSize = patchStatistics(draft.goldPatch).sizeBucket;
    const kinds = { strategy, operator, operatorFamily, patchSize, statementRung };
    yield context.record({ type, iteration, taskId, ...kinds, source, failToPass, split, parents: [] });
  }
  return made;
}

/** Writes the certificates of calibrated tasks into their folders and journals their admission. */
export async function* admitTasks(options: {
  context: ClimbContext;
  iteration: number;
  made: readonly MadeTask[];
  calibrated: readonly CalibratedTask[];
  weightsVersion: string;
  /** Name of the rule that decided. */
  ruleName: string;
}): AsyncGenerator<TadpoleEvent, readonly Task[]> {
  const { context, iteration, made, calibrated, weightsVersion, ruleName } = options;
  const drafts = new Map(made.map(({ draft }) => [draft.data.id, draft]));
  const { band } = context.configuration.calibration;
  for (const { task, calibration } of calibrated) {
    const draft = drafts.get(task.data.id) as TaskDraft;
    const certificate = createCertificate({ draft, measured: { calibration, weightsVersion, band, rule: { name: ruleName } } });
    context.store.writeFile(join('tasks', task.data.id, 'certificate.json'), `${JSON.stringify(certificate, null, 2)}\n`);
    yield context.record({ type: 'task-admit', iteration, taskId: task.data.id, certificate });
  }
  return calibrated.map(({ task }) => task);
}

function restrictFiles(options: { snapshots: readonly RepositorySnapshot[]; split: 'train' | 'held-out' }) {
  return options.snapshots.flatMap(({ repository, snapshot }) => {
    const heldOut = new Set(repository.heldOutFiles);
    const sourceFiles = snapshot.sourceFiles.filter((file) => heldOut.has(file) === (options.split === 'held-out'));
    return sourceFiles.length === 0 ? [] : [{ ...snapshot, sourceFiles }];
  });
}
