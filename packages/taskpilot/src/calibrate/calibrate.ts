import { type Scored, TadpoleError } from '@tadpole/contracts';
import { throwIfAborted } from '../throw-if-aborted.js';
import { type Calibration, judge, toCalibration } from './calibration.js';
import type { DecisionRule } from './decision-rule.js';
import { type Band, betaPrior, defaultBand, type GridPrior } from './grid-prior.js';
import { countOutcomes, type RollOut, requestMore } from './measure-wave.js';

/** What {@link calibrate} reports: each round before its rollouts, and each task once it is decided. */
export type CalibrationEvent =
  | { readonly type: 'calibration-round'; readonly round: number; readonly tasks: number; readonly rollouts: number }
  | ({ readonly type: 'candidate-calibrate' } & Calibration);

/** What {@link calibrate} returns: one result a task, in the tasks' order, and what it cost. */
export interface CalibrationSummary {
  readonly results: readonly Calibration[];
  /** Rollouts asked for, unscored ones included. */
  readonly rollouts: number;
  readonly rounds: number;
}

/**
 * Measures tasks against the current policy until `rule` decides each: in every round each undecided task
 * gets up to `wave` more rollouts, all asked for in one call of `rollOut`, so that batches do not depend on
 * which rollout ends first. A rule that stops at no trial costs no rollout.
 *
 * @throws TadpoleError `invalid-input` when `rollOut` yields too few, too many or unknown outcomes, or task
 * ids repeat; `aborted` by the signal.
 */
export async function* calibrate<Item extends { readonly id: string }>(options: {
  tasks: readonly Item[];
  rule: DecisionRule;
  rollOut: RollOut<Item>;
  /** For the reported posterior. @default Beta(.4, .4) */
  prior?: GridPrior;
  /** For the reported posterior. @default [0.3, 0.7] */
  band?: Band;
  /** Rollouts of a task and round. @default 2 */
  wave?: number;
  /** A task with more unscored rollouts than this is `undecided`. @default 4 */
  maxUnscored?: number;
  /** @default the reward is 1: every named test passed */
  isSuccess?: (outcome: Scored) => boolean;
  signal?: AbortSignal;
}): AsyncGenerator<CalibrationEvent, CalibrationSummary> {
  const { tasks, rule, rollOut, signal, prior = betaPrior(), band = defaultBand, wave = 2, maxUnscored = 4 } = options;
  const isSuccess = options.isSuccess ?? ((outcome: Scored) => outcome.reward >= 1);
  if (new Set(tasks.map((task) => task.id)).size !== tasks.length) throw invalid('expected distinct task ids, got a repeated one');
  if (!Number.isInteger(wave) || wave < 1) throw invalid(`expected a wave of 1 or more, got ${wave}`);

  const results = new Map<string, Calibration>();
  let undecided = tasks.map((task) => ({ task, successes: 0, trials: 0, unscored: 0, asked: 0 }));
  let [rollouts, rounds] = [0, 0];
  yield* settle();
  while (undecided.length > 0) {
    throwIfAborted(signal, 'Calibration');
    const requests = undecided.map((count) => requestMore({ count, most: Math.min(wave, rule.maxTrials - count.trials) }));
    const asked = requests.reduce((sum, request) => sum + request.samples.length, 0);
    yield { type: 'calibration-round', round: rounds, tasks: requests.length, rollouts: asked };
    await countOutcomes({ counts: undecided, outcomes: rollOut({ requests, ...(signal === undefined ? {} : { signal }) }), isSuccess });
    throwIfAborted(signal, 'Calibration');
    rollouts += asked;
    rounds++;
    yield* settle();
  }
  return { results: tasks.map((task) => results.get(task.id) as Calibration), rollouts, rounds };

  function* settle(): Generator<CalibrationEvent> {
    for (const count of undecided) {
      const verdict = judge({ count, rule, maxUnscored });
      if (verdict === null) continue;
      const result = toCalibration({ count, verdict, prior, band });
      results.set(count.task.id, result);
      yield { type: 'candidate-calibrate', ...result };
    }
    undecided = undecided.filter(({ task }) => !results.has(task.id));
  }
}

function invalid(problem: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `calibrate: ${problem}.` });
}
