import type { Checkpoint } from './carried-likelihood.js';
import { checkpointColumn, featureColumns } from './feature-columns.js';
import { logistic, normalNodes } from './logit.js';
import type { CalibrationCandidate, Measurement } from './measurement.js';
import { fitRidgeLogistic, type LogisticRow, predictLogit } from './ridge-logistic.js';

/** A left-out fold changes the fit little: one Newton step from the fit to all is enough. */
const oneStep = Number.POSITIVE_INFINITY;

/** Predicts the logit of a task's solve rate from what is known before any rollout. */
export interface DifficultyPredictor {
  /** Share by which the cross-validated log-loss is under that of the strategies' means; worthless at 0 and below. */
  readonly improvement: number;
  /** Standard deviation of the logits around their prediction, cross-validated. */
  readonly residualSpread: number;
  readonly names: readonly string[];
  /** [D]; a larger value is an easier task. */
  readonly weights: readonly number[];
  /** `spread` is of this task's logit: the residual's and the fit's own uncertainty together. */
  predict(task: Pick<CalibrationCandidate, 'strategy' | 'repository' | 'features'> & { readonly checkpoint: number }): {
    logit: number;
    spread: number;
  };
}

/**
 * Fits logit p = theta(checkpoint) - b with b linear in features, strategy and repository: a logistic regression
 * with ridge penalty `lambda` on all but the intercept, and Laplace's approximation of its uncertainty
 * (taskpilot.md section 5, default algorithm (2)).
 *
 * The regression averages over what the features do not say, which shrinks its logits; with the residual spread
 * s, chosen by likelihood on the left-out folds, they are scaled back by sqrt(1 + .346 s²) (Zeger, Liang and
 * Albert 1988). Measurements without a trial are passed over.
 */
export function fitDifficulty(options: {
  measurements: readonly Measurement[];
  /** What is known of their ability; a checkpoint's own column takes up the rest. @default nothing */
  checkpoints?: readonly Checkpoint[];
  /** @default 1 */
  lambda?: number;
  /** @default 5 */
  folds?: number;
  /** Weights by column name from an earlier fit, to begin from. */
  start?: Pick<DifficultyPredictor, 'names' | 'weights'>;
}): DifficultyPredictor {
  const { checkpoints = [], lambda = 1, folds = 5, start } = options;
  const measurements = options.measurements.filter(({ trials }) => trials > 0);
  const offsetOf = (checkpoint: number) => checkpoints[checkpoint]?.ability ?? 0;
  const penaltyOf = new Map(
    checkpoints.flatMap(({ standardError }, index) => (standardError > 0 ? [[checkpointColumn(index), standardError ** -2] as const] : [])),
  );
  const design = featureColumns({ measurements, checkpoints: checkpoints.length });
  const rows: LogisticRow[] = measurements.map((measurement) => ({
    ...design.rowOf(measurement),
    offset: offsetOf(measurement.checkpoint),
    successes: measurement.successes,
    trials: measurement.trials,
  }));
  const penalties = design.names.map((name, index) => (index === 0 ? 1e-4 : (penaltyOf.get(name) ?? lambda)));
  const earlier = new Map(start?.names.map((name, index) => [name, start.weights[index] ?? 0]));
  const fit = fitRidgeLogistic({ rows, penalties, start: design.names.map((name) => earlier.get(name) ?? 0) });

  const predicted = new Array<number>(rows.length).fill(0);
  for (let fold = 0; fold < folds; fold++) {
    const training = rows.filter((_, index) => index % folds !== fold);
    const left = fitRidgeLogistic({ rows: training, penalties, start: fit.weights, tolerance: oneStep });
    for (let index = fold; index < rows.length; index += folds)
      predicted[index] = predictLogit({ fit: left, row: rows[index] as LogisticRow }).value;
  }
  const residualSpread = likeliestSpread({ rows, predicted });
  const scale = unshrink(residualSpread);
  const ours = logLoss({ rows, rates: predicted.map(logistic) });
  const theirs = logLoss({ rows, rates: strategyMeans({ measurements, folds }) });
  return {
    improvement: rows.length === 0 ? 0 : 1 - ours / theirs,
    residualSpread,
    names: design.names,
    weights: fit.weights,
    predict(task) {
      const { value, variance } = predictLogit({ fit, row: { ...design.rowOf(task), offset: offsetOf(task.checkpoint) } });
      return { logit: scale * value, spread: Math.sqrt(residualSpread ** 2 + scale ** 2 * variance) };
    },
  };
}

function unshrink(spread: number): number {
  return Math.sqrt(1 + 0.346 * spread ** 2);
}

/** The spread, to a quarter, under which the counts are likeliest, given left-out predictions. */
function likeliestSpread({ rows, predicted }: { rows: readonly LogisticRow[]; predicted: readonly number[] }): number {
  const groups = new Map<string, { value: number; successes: number; trials: number; tasks: number }>();
  for (const [index, { successes, trials }] of rows.entries()) {
    const value = Math.round((predicted[index] ?? 0) * 4) / 4;
    const key = `${value} ${successes}/${trials}`;
    const group = groups.get(key) ?? { value, successes, trials, tasks: 0 };
    group.tasks++;
    groups.set(key, group);
  }
  const nodes = normalNodes();
  const scoreOf = (spread: number) => {
    const scale = unshrink(spread);
    let score = 0;
    for (const { value, successes, trials, tasks } of groups.values()) {
      let likelihood = 0;
      for (const { at, weight } of nodes) {
        const logit = scale * value + spread * at;
        likelihood += weight * Math.exp(successes * logit - trials * (Math.max(0, logit) + Math.log1p(Math.exp(-Math.abs(logit)))));
      }
      score += tasks * Math.log(Math.max(likelihood, Number.MIN_VALUE));
    }
    return score;
  };
  const best = (spreads: readonly number[]) => {
    const scores = spreads.map(scoreOf);
    return spreads[scores.indexOf(Math.max(...scores))] ?? 1;
  };
  const coarse = best([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]);
  return best([coarse - 0.25, coarse, coarse + 0.25]);
}

/** Left-out mean rates by strategy and checkpoint, each with one trial at one half added [measurements]. */
function strategyMeans({ measurements, folds }: { measurements: readonly Measurement[]; folds: number }): number[] {
  const keyOf = ({ strategy, checkpoint }: Measurement) => `${checkpoint} ${strategy}`;
  const rates = new Array<number>(measurements.length).fill(0.5);
  for (let fold = 0; fold < folds; fold++) {
    const sums = new Map<string, { successes: number; trials: number }>();
    for (const [index, measurement] of measurements.entries()) {
      if (index % folds === fold) continue;
      const sum = sums.get(keyOf(measurement)) ?? { successes: 0.5, trials: 1 };
      sums.set(keyOf(measurement), { successes: sum.successes + measurement.successes, trials: sum.trials + measurement.trials });
    }
    for (let index = fold; index < measurements.length; index += folds) {
      const sum = sums.get(keyOf(measurements[index] as Measurement));
      if (sum !== undefined) rates[index] = sum.successes / sum.trials;
    }
  }
  return rates;
}

function logLoss({ rows, rates }: { rows: readonly LogisticRow[]; rates: readonly number[] }): number {
  return rows.reduce((sum, { successes, trials }, index) => {
    const rate = Math.min(1 - 1e-9, Math.max(1e-9, rates[index] ?? 0.5));
    return sum - successes * Math.log(rate) - (trials - successes) * Math.log(1 - rate);
  }, 0);
}
