import { type Scored, TadpoleError, type Trajectory } from '@tadpole/contracts';
import { buildSequences, type SequenceLimits, type TrainingSequence } from './build-sequences.js';
import { groupAdvantages, type Normalisation } from './group-advantages.js';
import { type GroupSignal, groupSignal } from './group-signal.js';
import { rolloutLag, type Staleness } from './rollout-lag.js';

/** A rollout that may be learned from. Its outcome is scored by type: one without a score cannot enter. */
export interface ScoredRollout {
  readonly trajectory: Trajectory;
  readonly outcome: Scored;
  /** The shaped reward that advantages are made of. @default the outcome's reward */
  readonly reward?: number;
}

/** The rollouts of one task by which each is judged. */
export interface RolloutGroup {
  readonly taskId: string;
  readonly rollouts: readonly ScoredRollout[];
}

/** What went into a batch and what was left out, by reason. */
export interface BatchCounts {
  readonly groups: number;
  readonly groupsKept: number;
  readonly groupsAllPass: number;
  readonly groupsAllFail: number;
  readonly groupsOtherConstant: number;
  /** Fewer than two rollouts were left. */
  readonly groupsTooSmall: number;
  /** Rollouts older than the staleness bound. */
  readonly rolloutsStale: number;
  /** Rollouts in the batch. */
  readonly rollouts: number;
  readonly sequences: number;
  readonly trainedTokens: number;
  /** Lag of the batch's rollouts in updates, on average and at most; with `staleness` and at least one rollout. */
  readonly rolloutLagMean?: number;
  readonly rolloutLagMax?: number;
}

/** Sequences for {@link updatePolicy}. None are left when every group was dropped. */
export interface Batch {
  readonly sequences: readonly TrainingSequence[];
  readonly counts: BatchCounts;
}

/**
 * Turns groups of rollouts into a batch: drops stale rollouts, then groups that cannot teach, then gives
 * every sampled token its rollout's advantage. A batch without sequences is a valid answer: skip the update, or ask
 * `refillCount` how many groups to roll out for it.
 *
 * A dropped group is counted by what its outcomes were, whichever rewards the filter read. A group whose shaped rewards are
 * all equal has no advantage and is dropped under either filter; where its outcomes differ, it counts as other.
 *
 * @throws TadpoleError `invalid-input` for a rollout in another task's group, one that is there twice, a reward that is not
 * finite, or whatever {@link buildSequences} refuses.
 */
export function buildBatch(
  options: {
    groups: readonly RolloutGroup[];
    /** @default 'mean-std' */
    normalisation?: Normalisation;
    /**
     * Which rewards decide that a group is constant: `raw` (the outcome's, as FrogNano does) drops a group whose
     * rollouts all pass; `shaped` lets it train on length and termination. @default 'raw'
     */
    filterOn?: 'raw' | 'shaped';
    /** Spread of rewards that counts as none. @default 1e-6 */
    tolerance?: number;
    /** @default every rollout is fresh enough */
    staleness?: Staleness;
  } & SequenceLimits,
): Batch {
  const { groups, normalisation, filterOn = 'raw', tolerance, staleness, contextTokens, stopIds } = options;
  assertRollouts(groups);
  const dropped = { 'all-pass': 0, 'all-fail': 0, 'other-constant': 0, 'too-small': 0, stale: 0 };
  const sequences: TrainingSequence[] = [];
  const lags: number[] = [];
  let groupsKept = 0;
  for (const { rollouts } of groups) {
    const aged = rollouts.map((rollout) => ({ rollout, lag: lagOf(rollout, staleness) }));
    const fresh = aged.filter(({ lag }) => lag <= (staleness?.maxLag ?? 1));
    dropped.stale += rollouts.length - fresh.length;
    const signal = judgeGroup(
      fresh.map(({ rollout }) => rollout),
      { filterOn, tolerance },
    );
    if (signal !== 'mixed') {
      dropped[signal] += 1;
      continue;
    }
    const advantages = groupAdvantages({ rewards: fresh.map(({ rollout }) => shapedReward(rollout)), normalisation });
    for (const [index, { rollout, lag }] of fresh.entries()) {
      const { trajectory } = rollout;
      sequences.push(...buildSequences({ trajectory, advantage: advantages[index] ?? 0, contextTokens, stopIds }));
      lags.push(lag);
    }
    groupsKept += 1;
  }
  return {
    sequences,
    counts: {
      groups: groups.length,
      groupsKept,
      groupsAllPass: dropped['all-pass'],
      groupsAllFail: dropped['all-fail'],
      groupsOtherConstant: dropped['other-constant'],
      groupsTooSmall: dropped['too-small'],
      rolloutsStale: dropped.stale,
      rollouts: lags.length,
      sequences: sequences.length,
      trainedTokens: sequences.reduce((sum, sequence) => sum + sequence.trainedTokens, 0),
      ...(staleness && lags.length > 0 && { rolloutLagMean: mean(lags), rolloutLagMax: Math.max(...lags) }),
    },
  };
}

/** Whether a group teaches; if not, the kind under which it is counted. */
function judgeGroup(
  rollouts: readonly ScoredRollout[],
  options: { filterOn: 'raw' | 'shaped'; tolerance: number | undefined },
): GroupSignal | 'too-small' {
  if (rollouts.length < 2) return 'too-small';
  const { filterOn, tolerance } = options;
  const raw = groupSignal(
    rollouts.map(({ outcome }) => outcome.reward),
    { tolerance },
  );
  const shaped = groupSignal(rollouts.map(shapedReward), { tolerance });
  const decides = filterOn === 'raw' && raw !== 'mixed' ? raw : shaped;
  if (decides === 'mixed') return 'mixed';
  return raw === 'mixed' ? 'other-constant' : raw;
}

function assertRollouts(groups: readonly RolloutGroup[]): void {
  const seen = new Set<string>();
  for (const { taskId, rollouts } of groups) {
    for (const { trajectory, reward = 0 } of rollouts) {
      if (trajectory.taskId !== taskId) {
        throw invalid(`Expected rollouts of task ${taskId} in its group, got trajectory ${trajectory.id} of task ${trajectory.taskId}.`);
      }
      const key = JSON.stringify([taskId, trajectory.id]);
      if (seen.has(key)) throw invalid(`Expected every rollout once, got trajectory ${trajectory.id} of task ${taskId} twice.`);
      seen.add(key);
      if (!Number.isFinite(reward))
        throw invalid(`Expected a finite reward for trajectory ${trajectory.id} of task ${taskId}, got ${reward}.`);
    }
  }
}

function shapedReward({ reward, outcome }: ScoredRollout): number {
  return reward ?? outcome.reward;
}

function lagOf({ trajectory }: ScoredRollout, staleness: Staleness | undefined): number {
  return staleness ? rolloutLag({ trajectory, history: staleness.history }) : 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function invalid(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
