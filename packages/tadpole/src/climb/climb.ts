import { join } from 'node:path';
import { type Sampler, TadpoleError, type TadpoleEvent } from '@tadpole/contracts';
import { type ClimbContext, createClimbContext } from './climb-context.js';
import type { ClimbOptions } from './climb-options.js';
import { evaluate } from './evaluate.js';
import { type HeldOutTask, makeHeldOutTasks } from './make-held-out-tasks.js';
import { prepareSnapshots, type RepositorySnapshot } from './prepare-snapshots.js';
import { restoreSamplers } from './restore-samplers.js';
import { type ResumePosition, resumePosition } from './resume-position.js';
import { runUpdates } from './run-updates.js';
import { synthesizeTasks } from './synthesize-tasks.js';

/** Label of the evaluation before any update. */
export const beforeLabel = 'before training';

/** Label of the evaluation after an iteration (0-based). */
export function afterLabel(iteration: number): string {
  return `after iteration ${iteration + 1}`;
}

/**
 * The recipe (frognano.md section 1.1): held-out tasks are made and evaluated; then, iteration by iteration,
 * tasks are synthesised for the current policy and learned from, and the held-out tasks are evaluated again.
 * Weights and the bank of measured tasks carry over; the optimizer starts anew each iteration.
 *
 * Every event is in the journal before it is yielded. A store that was resumed continues where its journal
 * ends: what it holds is read, not repeated. Stopping the generator stops the run; what was recorded stays.
 *
 * @throws TadpoleError; the journal is intact whatever the code.
 */
export async function* climb(options: ClimbOptions): AsyncGenerator<TadpoleEvent, void> {
  const context = createClimbContext(options);
  const { store, configuration } = context;
  const position = resumePosition(store.journal.events);
  yield context.record({
    type: 'run-start',
    runId: store.runId,
    configurationHash: context.configurationHash,
    resumed: store.resumed,
  });

  const snapshots = yield* prepareSnapshots(context);
  const heldOut = yield* makeHeldOutTasks({ context, snapshots });
  const tasks = heldOut.map(({ task }) => task);

  let samplers = await restoreSamplers({ context, position });
  let sampler = samplers.get(position.updates) as Sampler;
  if (!position.evaluated.has(beforeLabel)) {
    yield* evaluate({ context, sampler, tasks, iteration: 0, update: 0, label: beforeLabel });
  }

  for (let iteration = position.iteration; iteration < configuration.iterations; iteration += 1) {
    sampler = yield* runIteration({ context, position, snapshots, heldOut, samplers, iteration });
    samplers = new Map([[0, sampler]]);
    const label = afterLabel(iteration);
    if (!position.evaluated.has(label)) {
      yield* evaluate({ context, sampler, tasks, iteration, update: configuration.training.updatesPerIteration, label });
    }
    const checkpoint = lastCheckpoint(context);
    yield context.record({ type: 'iteration-end', iteration, weightsVersion: sampler.weightsVersion, checkpoint });
    store.journal.sync();
  }
  yield context.record({ type: 'run-end', reason: 'done', detail: '' });
  store.journal.sync();
}

async function* runIteration(options: {
  context: ClimbContext;
  position: ResumePosition;
  snapshots: readonly RepositorySnapshot[];
  heldOut: readonly HeldOutTask[];
  samplers: ReadonlyMap<number, Sampler>;
  iteration: number;
}): AsyncGenerator<TadpoleEvent, Sampler> {
  const { context, position, snapshots, heldOut, iteration } = options;
  const { configuration } = context;
  const resumesHere = iteration === position.iteration;
  const firstUpdate = resumesHere ? position.updates : 0;
  const sampler = options.samplers.get(firstUpdate) as Sampler;
  const startVersion = position.startVersions.get(iteration) ?? sampler.weightsVersion;
  if (!position.startVersions.has(iteration)) yield context.record({ type: 'iteration-start', iteration, weightsVersion: startVersion });

  const tasks = yield* synthesizeTasks({
    context,
    snapshots,
    heldOut: heldOut.map(({ draft }) => draft),
    sampler: { ...sampler, sample: sampler.sample, weightsVersion: startVersion },
    iteration,
  });
  if (tasks.length === 0) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Iteration ${iteration + 1}: no task was admitted in the band [${configuration.calibration.band.join(', ')}]; the journal says why each candidate was refused or discarded. Widen the band, change the statement rung, add repositories, or raise synthesis.candidates and synthesis.rollouts.`,
    });
  }
  if (firstUpdate === 0 && iteration > 0) await resetOptimizer(context);
  return yield* runUpdates({ context, samplers: options.samplers, tasks, iteration, firstUpdate });
}

async function resetOptimizer(context: ClimbContext): Promise<void> {
  const directory = join(context.store.directory, 'checkpoints', lastCheckpoint(context));
  await context.options.client.loadState(directory, { optimizer: false });
}

function lastCheckpoint(context: ClimbContext): string {
  return resumePosition(context.store.journal.events).checkpoint ?? '';
}
