import { type Band, defaultBand } from '../calibrate/grid-prior.js';
import { type RepeatedKey, repeatedKeyOf } from '../duplicates/describe-duplicate.js';
import type { TaskMix } from '../duplicates/task-mix.js';
import { iterationMix } from './iteration-mix.js';
import type { HistogramBin, IterationReport, MeasuredRate } from './iteration-report-schema.js';
import { type ReportedEvent, type ReportedEventOf, type ReportedEvents, reportedEvents } from './reported-event.js';
import { rolloutSpending } from './rollout-spending.js';
import { normalPoint } from './share-of.js';
import { countReasons, yieldFunnel } from './yield-funnel.js';

const bins = 10;

/**
 * What one iteration of task synthesis came to: its yield by operator and strategy, the solve rates that were measured
 * before and after refinement, rollouts against eight fixed ones, duplicates, discards, drift and cost. Pure, the same
 * for any order of the events, and fit for an iteration that still goes on. Events that a resumed run repeats count
 * once. Parses with `iterationReportSchema`. Source: taskpilot.md section 7.
 *
 * Duplicates are told apart by what `describeDuplicate` writes into their detail.
 *
 * @throws TadpoleError `invalid-input` for events of several iterations, and for a target mix whose shares sum to no 1.
 */
export function iterationReport(options: {
  /** Of one iteration: a journal's, or what TaskPilot itself reports. */
  events: readonly ReportedEvent[];
  /** That the tasks were measured for. @default [0.3, 0.7] */
  band?: Band;
  /** For drift: a stated mix or the first iteration's. @default none: drift is null */
  targetMix?: TaskMix;
  /** Validations of earlier iterations: the kinds of tasks that come from the bank. @default none: those tasks are left out of the mix */
  earlier?: readonly ReportedEventOf<'candidate-validate'>[];
  /** Of the bootstrap. @default 0 */
  seed?: number | string;
  /** Of the bootstrap. @default 2000 */
  resamples?: number;
}): IterationReport {
  const { band = defaultBand, targetMix: target, earlier = [], seed = 0, resamples = 2000 } = options;
  const events = reportedEvents(options.events);
  const rates = measuredRates(events);
  return {
    band: [band[0], band[1]],
    ended: events.end?.ended ?? null,
    admitted: events.admitted.size,
    funnel: yieldFunnel(events),
    rates,
    histogram: histogramOf(rates),
    rollouts: rolloutSpending({ events, seed, resamples }),
    duplicates: duplicatesOf(events),
    discards: countReasons(events.discarded.map(({ reason }) => reason)),
    kinds: iterationMix({ events, earlier, target }),
    shift: shiftOf(events),
    cost: costOf(events),
  };
}

function measuredRates({ calibrated, validated, admitted }: ReportedEvents): readonly MeasuredRate[] {
  const refined = new Set(validated.filter(({ parents }) => parents.length > 0).map(({ taskId }) => taskId));
  return calibrated
    .filter(({ trials }) => trials > 0)
    .map(({ taskId, strategy, source, origin, verdict, successes, trials, unscored, posteriorMean, posteriorInterval, ...rest }) => ({
      taskId,
      strategy,
      source,
      origin,
      isRefined: refined.has(taskId),
      verdict,
      successes,
      trials,
      unscored,
      mean: posteriorMean,
      interval: posteriorInterval,
      probabilityInBand: rest.probabilityInBand,
      admitted: admitted.has(taskId),
    }))
    .sort((left, right) => left.mean - right.mean || (left.taskId < right.taskId ? -1 : 1));
}

function histogramOf(rates: readonly MeasuredRate[]): readonly HistogramBin[] {
  const binOf = (mean: number) => Math.min(bins - 1, Math.max(0, Math.floor(mean * bins)));
  return Array.from({ length: bins }, (_, bin) => {
    const within = rates.filter(({ mean }) => binOf(mean) === bin);
    return {
      low: bin / bins,
      high: (bin + 1) / bins,
      fresh: within.filter(({ origin, isRefined }) => origin === 'fresh' && !isRefined).length,
      admitted: within.filter(({ admitted }) => admitted).length,
    };
  });
}

function duplicatesOf({ refused, discarded }: ReportedEvents): IterationReport['duplicates'] {
  const repeated: readonly { reason: string; detail: string }[] = [...refused, ...discarded];
  const keys = repeated.filter(({ reason }) => reason === 'duplicate').map(({ detail }): RepeatedKey => repeatedKeyOf(detail));
  return { total: keys.length, byKey: countReasons(keys).map(({ reason: key, count }) => ({ key, count })) };
}

function shiftOf({ shift }: ReportedEvents): IterationReport['shift'] {
  if (shift === undefined) return null;
  const { shift: logits, standardError, anchors } = shift;
  const reach = normalPoint * standardError;
  return { logits, standardError, interval: [logits - reach, logits + reach], anchors };
}

function costOf({ end, rollouts, admitted }: ReportedEvents): IterationReport['cost'] {
  const usages = rollouts.filter(({ purpose }) => purpose === 'calibration').map(({ usage }) => usage);
  const prices = usages.flatMap(({ costUsd }) => costUsd ?? []);
  const usd = end?.costUsd ?? (prices.length === 0 ? null : prices.reduce((sum, price) => sum + price, 0));
  return {
    usd,
    usdPerAdmitted: usd === null || admitted.size === 0 ? null : usd / admitted.size,
    unpricedRollouts: usages.length - prices.length,
    tokens:
      usages.length === 0
        ? null
        : {
            prompt: usages.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
            completion: usages.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
            areEstimated: usages.some(({ isEstimated }) => isEstimated === true),
          },
    executions: end?.executions ?? null,
  };
}
