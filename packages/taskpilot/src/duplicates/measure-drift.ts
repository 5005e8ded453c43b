import { TadpoleError } from '@tadpole/contracts';
import { type MixDimension, type MixTask, mixDimensions, mixOf, sharesOf, type TaskMix } from './task-mix.js';

/** A task of an iteration whose drift is measured. */
export interface DriftTask extends MixTask {
  /** Neither refined from another task nor taken from the bank. */
  readonly isFresh: boolean;
}

/** One kind's share in an iteration beside its share in the target. */
export interface ShareDrift {
  readonly kind: string;
  readonly share: number;
  readonly target: number;
  /** `share - target`, in [-1, 1]; 0.1 is ten points. */
  readonly difference: number;
}

/** Drift in one dimension. */
export interface DimensionDrift {
  /** Kinds of either mix, by name. */
  readonly shares: readonly ShareDrift[];
  readonly largestDifference: number;
  /** KL(iteration || target) of the smoothed shares, in nats. */
  readonly klNats: number;
  readonly holds: boolean;
}

/** Drift of an iteration from iteration 1 or a stated mix. */
export interface Drift {
  readonly dimensions: Readonly<Record<MixDimension, DimensionDrift>>;
  readonly fresh: { readonly share: number; readonly minimum: number; readonly holds: boolean };
  /** True when every dimension and the share of fresh tasks hold. */
  readonly holds: boolean;
}

/**
 * Measures how far an iteration's tasks moved from the target mix (taskpilot.md section 6): each kind within ten
 * points, KL at most 0.1 nats in each dimension, and a tenth of the tasks fresh.
 *
 * For KL both mixes are smoothed, `(1 - smoothing) share + smoothing / kinds`, so that a kind which only one of
 * them has gives a finite number; differences are of the shares as they are.
 *
 * @throws TadpoleError `invalid-input` without tasks, for a target that sums to no 1, and for options out of range.
 */
export function measureDrift(options: {
  tasks: readonly DriftTask[];
  /** From `mixOf` of iteration 1, or stated. */
  target: TaskMix;
  /** @default 0.1 */
  maxDifference?: number;
  /** In nats. @default 0.1 */
  maxKlNats?: number;
  /** Weight of the uniform distribution, (0, 1). @default 0.05 */
  smoothing?: number;
  /** @default 0.1 */
  minFreshShare?: number;
}): Drift {
  const { tasks, target, maxDifference = 0.1, maxKlNats = 0.1, smoothing = 0.05, minFreshShare = 0.1 } = options;
  if (!(smoothing > 0 && smoothing < 1)) {
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a smoothing in (0, 1), got ${smoothing}.` });
  }
  const mix = mixOf(tasks);
  const driftIn = (dimension: MixDimension): DimensionDrift => {
    const [current, wanted] = [sharesOf(mix, dimension), sharesOf(target, dimension)];
    const shares = [...new Set([...wanted.keys(), ...current.keys()])].sort().map((kind) => {
      const [share, targetShare] = [current.get(kind) ?? 0, wanted.get(kind) ?? 0];
      return { kind, share, target: targetShare, difference: share - targetShare };
    });
    const largestDifference = Math.max(...shares.map(({ difference }) => Math.abs(difference)));
    const smooth = (share: number) => (1 - smoothing) * share + smoothing / shares.length;
    const klNats = shares.reduce((sum, entry) => sum + smooth(entry.share) * Math.log(smooth(entry.share) / smooth(entry.target)), 0);
    return { shares, largestDifference, klNats, holds: isAtMost(largestDifference, maxDifference) && isAtMost(klNats, maxKlNats) };
  };
  const dimensions = {
    repository: driftIn('repository'),
    operatorFamily: driftIn('operatorFamily'),
    patchSize: driftIn('patchSize'),
    statementRung: driftIn('statementRung'),
  };
  const share = tasks.filter(({ isFresh }) => isFresh).length / tasks.length;
  const fresh = { share, minimum: minFreshShare, holds: isAtMost(minFreshShare, share) };
  return { dimensions, fresh, holds: fresh.holds && mixDimensions.every((dimension) => dimensions[dimension].holds) };
}

/** A difference of exactly ten points holds, though 0.4 - 0.3 is a little more than 0.1 in binary. */
function isAtMost(value: number, limit: number): boolean {
  return value <= limit + 1e-9;
}
