import type { Rate } from '@tadpole/contracts';
import { bootstrapInterval } from './bootstrap-interval.js';
import { eventsOnce, type ReportedEvent, type ReportedEventOf } from './reported-event.js';
import { shareOf } from './share-of.js';

/** An admitted task's predicted solve rate beside what its first training group then showed. */
export interface RealisedTask {
  /** Null for events that say none. */
  readonly iteration: number | null;
  readonly taskId: string;
  /** Posterior of its calibration. */
  readonly predicted: { readonly mean: number; readonly interval: readonly [number, number] };
  /** Of the group's scored rollouts, with its Wilson interval. */
  readonly realised: Rate;
}

/** Predicted and realised solve rates over all tasks, each task counting once. */
export interface RealisedSummary {
  readonly tasks: number;
  readonly meanPredicted: number;
  readonly meanRealised: number;
  /** Realised minus predicted. */
  readonly difference: number;
  /** 95 % bootstrap over the tasks, paired; null with fewer than two. */
  readonly interval: readonly [number, number] | null;
  /** Whether the interval holds 0: calibration kept its word, as far as so many tasks can tell. */
  readonly covers: boolean | null;
}

/** See {@link realisedRates}. */
export interface RealisedRates {
  readonly tasks: readonly RealisedTask[];
  /** Null before an admitted task has a scored training rollout. */
  readonly overall: RealisedSummary | null;
}

/**
 * Compares what calibration predicted of each admitted task with what its first training group realised: the scored
 * `train` rollouts by the weights of the first one in the events. Takes events of one iteration or of several; a task
 * that several admitted is compared in each. Pure.
 *
 * Two things move the difference besides the calibrator: the policy has learned from the updates before a task's
 * group, and the tasks of a group were chosen by the measurement that predicts them.
 */
export function realisedRates(options: {
  /** With calibration, admission and training of the tasks; a training's rollouts in the order of their updates. */
  events: readonly ReportedEvent[];
  /** Of the bootstrap. @default 0 */
  seed?: number | string;
  /** Of the bootstrap. @default 2000 */
  resamples?: number;
}): RealisedRates {
  const { events, seed = 0, resamples = 2000 } = options;
  const admitted = eventsOnce({ events, type: 'task-admit', idOf: nameOf });
  const calibrated = eventsOnce({ events, type: 'candidate-calibrate', idOf: nameOf });
  const groups = firstGroups([...eventsOnce({ events, type: 'rollout-end', idOf: ({ key }) => key }).values()]);
  const tasks = [...admitted.keys()]
    .flatMap((name) => realisedTask({ calibration: calibrated.get(name), group: groups.get(name) ?? [] }))
    .sort((left, right) => (left.iteration ?? 0) - (right.iteration ?? 0) || (left.taskId < right.taskId ? -1 : 1));
  if (tasks.length === 0) return { tasks, overall: null };
  const differenceOf = (drawn: readonly RealisedTask[]) => mean(drawn, ({ predicted, realised }) => realised.rate - predicted.mean);
  const interval = bootstrapInterval({ items: tasks, statistic: differenceOf, seed, resamples });
  return {
    tasks,
    overall: {
      tasks: tasks.length,
      meanPredicted: mean(tasks, ({ predicted }) => predicted.mean),
      meanRealised: mean(tasks, ({ realised }) => realised.rate),
      difference: differenceOf(tasks),
      interval,
      covers: interval === null ? null : interval[0] <= 0 && 0 <= interval[1],
    },
  };
}

function nameOf({ iteration, taskId }: { readonly iteration?: number | undefined; readonly taskId: string }): string {
  return `${iteration ?? ''} ${taskId}`;
}

/** Training rollouts of each task and iteration by the weights that its first one was sampled from. */
function firstGroups(rollouts: readonly ReportedEventOf<'rollout-end'>[]): ReadonlyMap<string, readonly ReportedEventOf<'rollout-end'>[]> {
  const groups = new Map<string, ReportedEventOf<'rollout-end'>[]>();
  for (const rollout of rollouts) {
    if (rollout.purpose !== 'train') continue;
    const group = groups.get(nameOf(rollout)) ?? [];
    groups.set(nameOf(rollout), group);
    if (group[0] === undefined || group[0].weightsVersion === rollout.weightsVersion) group.push(rollout);
  }
  return groups;
}

function realisedTask(options: {
  calibration: ReportedEventOf<'candidate-calibrate'> | undefined;
  group: readonly ReportedEventOf<'rollout-end'>[];
}): readonly RealisedTask[] {
  const { calibration, group } = options;
  const scored = group.flatMap(({ outcome }) => (outcome.status === 'scored' ? [outcome] : []));
  const realised = shareOf({ successes: scored.filter(({ reward }) => reward >= 1).length, trials: scored.length });
  if (calibration === undefined || realised === null) return [];
  const { iteration = null, taskId, posteriorMean, posteriorInterval } = calibration;
  return [{ iteration, taskId, predicted: { mean: posteriorMean, interval: posteriorInterval }, realised }];
}

function mean<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += measure(item);
  return total / items.length;
}
