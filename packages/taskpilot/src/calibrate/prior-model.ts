import { type Bank, bankMeasurements } from './bank.js';
import type { Checkpoint } from './carried-likelihood.js';
import { type DifficultyPredictor, fitDifficulty } from './difficulty-predictor.js';
import { betaPrior, type GridPrior } from './grid-prior.js';
import { logitNormalPrior } from './logit-normal-prior.js';
import type { CalibrationCandidate, Measurement } from './measurement.js';
import { type Count, pooledPrior } from './pooled-prior.js';

/** Says how a candidate's solve rate is distributed before its rollouts, and learns from measured tasks. */
export interface PriorModel {
  /** At the last of `checkpoints`. Alike candidates get the same object, so that what is computed from it can be kept. */
  priorOf(options: { candidate: CalibrationCandidate; checkpoints: readonly Checkpoint[] }): GridPrior;
  /** Learns from a task that was measured. */
  observe(measurement: Measurement): void;
}

/** The same prior for every candidate, whatever is measured. */
export function constantPrior(prior: GridPrior = betaPrior()): PriorModel {
  return { priorOf: () => prior, observe() {} };
}

/**
 * A pooled prior for every strategy and repository: all tasks of the strategy at earlier checkpoints, moved by the
 * gain in ability, then those of this checkpoint, then those of this repository, each level with
 * `pseudoCandidates` of the one before (taskpilot.md section 5, default algorithm (1)). A level is pooled again
 * when it has grown by half.
 */
export function strategyPriors(
  options: {
    /** @default Beta(.4, .4) on 200 points */
    base?: GridPrior;
    /** @default 8 */
    pseudoCandidates?: number;
    /** To begin with, oldest first. @default none */
    measurements?: readonly Measurement[];
  } = {},
): PriorModel {
  const { base = betaPrior({ points: 200 }), pseudoCandidates = 8 } = options;
  const tasks = new Map<string, Measurement[]>();
  const kept = new Map<string, { parent: GridPrior; size: number; prior: GridPrior }>();
  const model: PriorModel = {
    priorOf({ candidate: { strategy, repository }, checkpoints }) {
      const now = checkpoints.length - 1;
      const ability = checkpoints[now]?.ability ?? 0;
      const ofStrategy = tasks.get(strategy) ?? [];
      const current = ofStrategy.filter(({ checkpoint }) => checkpoint === now);
      const shiftOf = (checkpoint: number) => ability - (checkpoints[checkpoint]?.ability ?? 0);
      const earlier = ofStrategy.filter(({ checkpoint }) => checkpoint < now);
      const key = JSON.stringify([now, strategy]);
      const fromEarlier = level({
        key: `earlier ${key}`,
        parent: base,
        size: earlier.length,
        counts: () => earlier.map((count) => ({ ...count, shift: shiftOf(count.checkpoint) })),
      });
      const fromStrategy = level({ key, parent: fromEarlier, size: current.length, counts: () => current });
      const near = current.filter((measurement) => measurement.repository === repository);
      return level({ key: `${key} ${repository}`, parent: fromStrategy, size: near.length, counts: () => near });
    },
    observe(measurement) {
      if (measurement.trials === 0) return;
      const ofStrategy = tasks.get(measurement.strategy);
      if (ofStrategy === undefined) tasks.set(measurement.strategy, [measurement]);
      else ofStrategy.push(measurement);
    },
  };
  for (const measurement of options.measurements ?? []) model.observe(measurement);
  return model;

  /** Pools again when the group has grown by half; under a new parent too, once it has grown at all. */
  function level(group: { key: string; parent: GridPrior; size: number; counts: () => readonly Count[] }): GridPrior {
    const { key, parent, size, counts } = group;
    const before = kept.get(key);
    if (before !== undefined && size < Math.max(before.size + 1, before.size * 1.5) && (size > 0 || before.parent === parent))
      return before.prior;
    const prior = pooledPrior({ base: parent, counts: counts(), pseudoCandidates });
    kept.set(key, { parent, size, prior });
    return prior;
  }
}

/**
 * Logit-normal priors from a {@link DifficultyPredictor} refitted every 50 measured tasks and at each
 * checkpoint, in buckets of half a logit; where its cross-validated log-loss does not beat the strategies' means by
 * `minImprovement`, the priors of `fallback` (taskpilot.md section 5, default algorithm (2) and (3)).
 */
export function predictedPriors(options: {
  fallback: PriorModel;
  /** @default 0.02 */
  minImprovement?: number;
  /** Measured tasks between two fits, and before the first. @default 50 */
  refitEvery?: number;
  /** The latest tasks that a fit looks at. @default 1000 */
  window?: number;
  /** @default 1 */
  lambda?: number;
  /** Grid [R] of the priors. @default 200 midpoints */
  rates?: readonly number[];
  /** To begin with, oldest first; `fallback` is not given them. @default none */
  measurements?: readonly Measurement[];
}): PriorModel & {
  /** The latest fit, used or not; null before the first. */
  predictor(): DifficultyPredictor | null;
} {
  const { fallback, minImprovement = 0.02, refitEvery = 50, window = 1000, lambda = 1, rates } = options;
  const tasks: Measurement[] = (options.measurements ?? []).filter(({ trials }) => trials > 0);
  const buckets = new Map<string, GridPrior>();
  let fitted: DifficultyPredictor | null = null;
  let [fittedAt, fittedFor] = [0, 0];
  return {
    predictor: () => fitted,
    priorOf({ candidate, checkpoints }) {
      const isDue = fittedFor === checkpoints.length ? tasks.length - fittedAt >= refitEvery : tasks.length >= refitEvery;
      if (isDue) {
        fitted = fitDifficulty({ measurements: tasks.slice(-window), checkpoints, lambda, ...(fitted === null ? {} : { start: fitted }) });
        [fittedAt, fittedFor] = [tasks.length, checkpoints.length];
      }
      if (fitted === null || fitted.improvement < minImprovement) return fallback.priorOf({ candidate, checkpoints });
      const { logit, spread } = fitted.predict({ ...candidate, checkpoint: checkpoints.length - 1 });
      return bucketPrior(Math.round(logit * 2) / 2, Math.max(1, Math.round(spread * 4)) / 4);
    },
    observe(measurement) {
      fallback.observe(measurement);
      if (measurement.trials > 0) tasks.push(measurement);
    },
  };

  function bucketPrior(mean: number, spread: number): GridPrior {
    const key = `${mean} ${spread}`;
    const prior = buckets.get(key) ?? logitNormalPrior({ mean, spread, ...(rates === undefined ? {} : { rates }) });
    buckets.set(key, prior);
    return prior;
  }
}

/** The default: the difficulty predictor over pooled strategy priors, both beginning with a bank's first measurements. */
export function bankPriors(bank: Bank): PriorModel {
  const measurements = bankMeasurements(bank);
  return predictedPriors({ fallback: strategyPriors({ measurements }), measurements });
}
