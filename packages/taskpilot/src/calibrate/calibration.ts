import type { DecisionRule } from './decision-rule.js';
import type { Band, GridPrior } from './grid-prior.js';
import type { TaskCount } from './measure-wave.js';
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

/** The verdict on a task, or null while its rule wants more rollouts. */
export function judge(options: { count: TaskCount<unknown>; rule: DecisionRule; maxUnscored: number }): CalibrationVerdict | null {
  const decision = options.rule.decide(options.count);
  if (decision !== 'continue') return decision;
  return options.count.unscored > options.maxUnscored ? 'undecided' : null;
}

/** A verdict together with what the rollouts say under `prior`. */
export function toCalibration(options: {
  count: TaskCount<{ readonly id: string }>;
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
