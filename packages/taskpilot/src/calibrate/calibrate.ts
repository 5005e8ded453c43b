import { type Outcome, type Scored, TadpoleError } from '@tadpole/contracts';
import { throwIfAborted } from '../throw-if-aborted.js';
import type { DecisionRule } from './decision-rule.js';
import { type Band, betaPrior, defaultBand, type GridPrior } from './grid-prior.js';
import { posterior } from './posterior.js';

/** Which side of the band a task is on; `undecided` when too many of its rollouts could not be scored. */
export type CalibrationVerdict = 'in-band' | 'too-easy' | 'too-hard' | 'undecided';

/** What was measured about one task. Only scored rollouts are trials; an unscored one is no failure. */
export interface Calibration {
  readonly taskId: string;
  readonly verdict: CalibrationVerdict;
  readonly successes: number;
  readonly trials: number;
  readonly unscored: number;
  readonly posteriorMean: number;
  readonly posteriorInterval: readonly [number, number];
  readonly probabilityInBand: number;
}

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

/** Rollouts wanted of one task; `samples` number its rollouts from 0 and never repeat. */
export interface RolloutRequest<Item> {
  readonly task: Item;
  readonly samples: readonly number[];
}

/**
 * Measures tasks against the current policy until `rule` decides each: in every round each undecided task
 * gets up to `wave` more rollouts, all asked for in one call of `rollOut`, so that batches do not depend on
 * which rollout ends first.
 *
 * @throws TadpoleError `invalid-input` when `rollOut` yields too few, too many or unknown outcomes, or task
 * ids repeat; `aborted` by the signal.
 */
export async function* calibrate<Item extends { readonly id: string }>(options: {
  tasks: readonly Item[];
  rule: DecisionRule;
  /** Runs rollouts of the current policy and grades them; yields one outcome for each sample, in any order. */
  rollOut: (options: { requests: readonly RolloutRequest<Item>[]; signal?: AbortSignal }) => AsyncIterable<{ taskId: string; outcome: Outcome }>;
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
  const counts = new Map(tasks.map((task) => [task.id, { task, successes: 0, trials: 0, unscored: 0 }]));
  if (counts.size !== tasks.length) throw invalid(`expected distinct task ids, got ${tasks.length - counts.size} repeated`);
  if (!Number.isInteger(wave) || wave < 1) throw invalid(`expected a wave of 1 or more, got ${wave}`);

  const results = new Map<string, Calibration>();
  let [rollouts, rounds] = [0, 0];
  while (results.size < counts.size) {
    throwIfAborted(signal, 'Calibration');
    const waiting = new Map(
      [...counts.values()]
        .filter(({ task }) => !results.has(task.id))
        .map((count) => [count.task.id, { count, left: Math.min(wave, rule.maxTrials - count.trials) }]),
    );
    const requests = [...waiting.values()].map(({ count, left }) => {
      const firstSample = count.trials + count.unscored;
      return { task: count.task, samples: Array.from({ length: left }, (_, index) => firstSample + index) };
    });
    const asked = requests.reduce((sum, request) => sum + request.samples.length, 0);
    yield { type: 'calibration-round', round: rounds, tasks: requests.length, rollouts: asked };
    for await (const { taskId, outcome } of rollOut({ requests, ...(signal === undefined ? {} : { signal }) })) {
      const entry = waiting.get(taskId);
      if (entry === undefined || entry.left === 0) throw invalid(`rollOut yielded an outcome of ${taskId} that was not asked for`);
      entry.left--;
      if (outcome.status === 'unscored') {
        entry.count.unscored++;
      } else {
        entry.count.trials++;
        if (isSuccess(outcome)) entry.count.successes++;
      }
    }
    throwIfAborted(signal, 'Calibration');
    const unanswered = [...waiting.values()].find(({ left }) => left > 0);
    if (unanswered !== undefined) throw invalid(`rollOut ended with ${unanswered.left} outcomes of ${unanswered.count.task.id} missing; yield Unscored for a rollout that failed`);
    rollouts += asked;
    rounds++;
    for (const { count } of waiting.values()) {
      const decision = rule.decide(count);
      const verdict: CalibrationVerdict | null = decision !== 'continue' ? decision : count.unscored > maxUnscored ? 'undecided' : null;
      if (verdict === null) continue;
      const { task, ...numbers } = count;
      const { mean, interval, probabilityInBand } = posterior({ ...numbers, prior, band });
      const result = { taskId: task.id, verdict, ...numbers, posteriorMean: mean, posteriorInterval: interval, probabilityInBand };
      results.set(task.id, result);
      yield { type: 'candidate-calibrate', ...result };
    }
  }
  return { results: tasks.map((task) => results.get(task.id) as Calibration), rollouts, rounds };
}

function invalid(problem: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `calibrate: ${problem}.` });
}
