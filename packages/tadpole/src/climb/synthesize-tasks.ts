import { join } from 'node:path';
import type { Sampler, Snapshot, TadpoleEvent, Task } from '@tadpole/contracts';
import {
  bankMeasurements,
  betaPrior,
  decisionTable,
  duplicateTaskOf,
  type GridPrior,
  type PriorModel,
  predictedPriors,
  type QuotaShares,
  type SynthesisState,
  strategyPriors,
  synthesize,
  type TaskDraft,
} from '@tadpole/taskpilot';
import { synthesisBody } from '../run/synthesis-body.js';
import { environmentGate, withGate } from '../synth/environment-gate.js';
import type { ClimbContext } from './climb-context.js';
import { draftTask, snapshotsOfSplit, validationSettings } from './draft-tasks.js';
import { journaledPolicy } from './journaled-policy.js';
import type { RepositorySnapshot } from './prepare-snapshots.js';
import { readSynthesisState, writeSynthesisState } from './synthesis-file.js';

/** Half of an iteration's tasks at most are of one strategy or one repository: a quarter of few tasks would be one or two. */
const quotas: QuotaShares = { strategy: 0.5, repository: 0.5 };

/**
 * Finds an iteration's tasks for the current policy, writes their certificates into their folders and journals what became of every
 * candidate. Begins with the state that the iteration before left, and leaves its own in `synthesis/`.
 *
 * Resumed, it goes through the same again, with the executions that are recorded and the rollouts that are journaled.
 *
 * @throws TadpoleError as `synthesize` does, and `storage`.
 */
export async function* synthesizeTasks(options: {
  context: ClimbContext;
  snapshots: readonly RepositorySnapshot[];
  heldOut: readonly TaskDraft[];
  sampler: Sampler;
  iteration: number;
}): AsyncGenerator<TadpoleEvent, readonly Task[]> {
  const { context, sampler, iteration } = options;
  const { store } = context;
  const state = readSynthesisState({ store, iteration });
  const rolledOut: TadpoleEvent[] = [];
  const snapshots = snapshotsOfSplit({ ...options, split: 'train' });
  const process = synthesize({
    ...validationSettings(context),
    ...searchSettings(context),
    snapshots,
    generators: context.generators,
    moves: context.moves,
    policy: journaledPolicy({ context, sampler, iteration, onEvent: (event) => rolledOut.push(event) }),
    // Held-out files are no training files, so that no function is in both.
    heldOut: options.heldOut.map((draft) => duplicateTaskOf({ draft, enclosingFunction: null })),
    seed: `${context.configuration.seed} train ${iteration}`,
    checkpoint: iteration,
    state,
    priors: priorsOf({ context, state }),
  });
  try {
    let step = await process.next();
    for (; step.done !== true; step = await process.next()) {
      yield* rolledOut.splice(0);
      let event = step.value;
      if (event.type === 'candidate-validate') {
        const { draft } = event;
        await draftTask({ context, draft, snapshot: snapshotOf({ snapshots, draft }) });
      }
      if (event.type === 'task-admit') {
        const { draft } = event;
        const task = await draftTask({ context, draft, snapshot: snapshotOf({ snapshots, draft }) });
        const gate = await environmentGate({ task, openSandbox: context.openSandbox, signal: context.options.signal });
        event = { ...event, certificate: withGate({ certificate: event.certificate, gate }) };
        store.writeFile(join('tasks', event.taskId, 'certificate.json'), `${JSON.stringify(event.certificate, null, 2)}\n`);
      }
      yield context.recordOnce(synthesisBody({ event, iteration }));
    }
    const { admitted, state: next } = step.value;
    writeSynthesisState({ store, iteration, state: next });
    return await Promise.all(admitted.map(({ draft }) => draftTask({ context, draft, snapshot: snapshotOf({ snapshots, draft }) })));
  } finally {
    // Ends what runs ahead when the caller stops or a write fails.
    await process.return(undefined as never);
  }
}

/** What the configuration says of counts, bounds and the rule. */
function searchSettings({ configuration, options: { signal } }: ClimbContext) {
  const { synthesis, concurrency } = configuration;
  const { band, wave, maxTrials, falseAcceptCost: mu, rolloutCost: lambda } = configuration.calibration;
  return {
    count: synthesis.tasks,
    budget: { candidates: synthesis.candidates, rollouts: synthesis.rollouts },
    band,
    wave,
    ruleFor: (prior: GridPrior) => decisionTable({ prior, band, mu, lambda, maxTrials, wave }),
    // More would be left unfinished when the count or the bound is reached, fewer take longer.
    parallel: Math.ceil(synthesis.tasks / 2),
    quotas,
    concurrency: concurrency.validation,
    ...(signal === undefined ? {} : { signal }),
  };
}

/** `bankPriors` from the configured start. */
function priorsOf(options: { context: ClimbContext; state: SynthesisState }): PriorModel {
  const [alpha, beta] = options.context.configuration.calibration.prior;
  const measurements = bankMeasurements(options.state.bank);
  const base = betaPrior({ alpha, beta, points: 200 });
  return predictedPriors({ fallback: strategyPriors({ base, measurements }), measurements });
}

function snapshotOf(options: { snapshots: readonly Snapshot[]; draft: TaskDraft }): Snapshot {
  const { snapshots, draft } = options;
  return snapshots.find(({ hash }) => hash === draft.data.lineage.snapshotHash) as Snapshot;
}
