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
  rollOut: (options: {
    requests: readonly RolloutRequest<Item>[];
    signal?: AbortSignal;
  }) => AsyncIterable<{ taskId: string; outcome: Outcome }>;
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
  while (undecided.length > 0) {
    throwIfAborted(signal, 'Calibration');
    const requests = undecided.map((count) => requestMore({ count, most: Math.min(wave, rule.maxTrials - count.trials) }));
    const asked = requests.reduce((sum, request) => sum + request.samples.length, 0);
    yield { type: 'calibration-round', round: rounds, tasks: requests.length, rollouts: asked };
    await countOutcomes({ counts: undecided, outcomes: rollOut({ requests, ...(signal === undefined ? {} : { signal }) }), isSuccess });
    throwIfAborted(signal, 'Calibration');
    requireAllOutcomes(undecided);
    rollouts += asked;
    rounds++;
    for (const count of undecided) {
      const verdict = judge({ count, rule, maxUnscored });
      if (verdict === null) continue;
      const result = describe({ count, verdict, prior, band });
      results.set(count.task.id, result);
      yield { type: 'candidate-calibrate', ...result };
    }
    undecided = undecided.filter(({ task }) => !results.has(task.id));
  }
  return { results: tasks.map((task) => results.get(task.id) as Calibration), rollouts, rounds };
}

/** What was seen of one task; `asked` counts every rollout asked for. */
interface Count<Item> {
  readonly task: Item;
  successes: number;
  trials: number;
  unscored: number;
  asked: number;
}

function requestMore<Item>({ count, most }: { count: Count<Item>; most: number }): RolloutRequest<Item> {
  const samples = Array.from({ length: most }, (_, index) => count.asked + index);
  count.asked += most;
  return { task: count.task, samples };
}

async function countOutcomes(options: {
  counts: readonly Count<{ readonly id: string }>[];
  outcomes: AsyncIterable<{ taskId: string; outcome: Outcome }>;
  isSuccess: (outcome: Scored) => boolean;
}): Promise<void> {
  const byId = new Map(options.counts.map((count) => [count.task.id, count]));
  for await (const { taskId, outcome } of options.outcomes) {
    const count = byId.get(taskId);
    if (count === undefined || count.trials + count.unscored === count.asked) {
      throw invalid(`rollOut yielded an outcome of ${taskId} that was not asked for`);
    }
    if (outcome.status === 'unscored') count.unscored++;
    else count.trials++;
    if (outcome.status === 'scored' && options.isSuccess(outcome)) count.successes++;
  }
}

function requireAllOutcomes(counts: readonly Count<{ readonly id: string }>[]): void {
  const short = counts.find((count) => count.trials + count.unscored < count.asked);
  if (short !== undefined)
    throw invalid(`rollOut ended without all outcomes of ${short.task.id}; yield Unscored for a rollout that failed`);
}

function judge(options: { count: Count<unknown>; rule: DecisionRule; maxUnscored: number }): CalibrationVerdict | null {
  const decision = options.rule.decide(options.count);
  if (decision !== 'continue') return decision;
  return options.count.unscored > options.maxUnscored ? 'undecided' : null;
}

function describe(options: {
  count: Count<{ readonly id: string }>;
  verdict: CalibrationVerdict;
  prior: GridPrior;
  band: Band;
}): Calibration {
  const { count, verdict, prior, band } = options;
  const { successes, trials, unscored } = count;
  const { mean, interval, probabilityInBand } = posterior({ successes, trials, prior, band });
  return {
    taskId: count.task.id,
    verdict,
    successes,
    trials,
    unscored,
    posteriorMean: mean,
    posteriorInterval: interval,
    probabilityInBand,
  };
}

function invalid(problem: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `calibrate: ${problem}.` });
}
