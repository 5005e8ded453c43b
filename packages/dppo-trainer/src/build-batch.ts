import { type Scored, TadpoleError, type Trajectory } from '@tadpole/contracts';
import { buildSequences, type TrainingSequence } from './build-sequences.js';
import { groupAdvantages, type Normalisation } from './group-advantages.js';
import { groupSignal } from './group-signal.js';
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
}

/** Sequences for {@link updatePolicy}. None are left when every group was dropped. */
export interface Batch {
  readonly sequences: readonly TrainingSequence[];
  readonly counts: BatchCounts;
}

/**
 * Turns groups of rollouts into a batch: drops stale rollouts, then groups that cannot teach, then gives
 * every sampled token its rollout's advantage. A batch without sequences is a valid answer: skip the update.
 *
 * @throws TadpoleError `invalid-input` for a rollout in another task's group, one without a sampled token,
 * or token records that do not fit together.
 */
export function buildBatch(options: {
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
}): Batch {
  const { groups, normalisation, filterOn = 'raw', tolerance, staleness } = options;
  const dropped = { 'all-pass': 0, 'all-fail': 0, 'other-constant': 0, 'too-small': 0, stale: 0 };
  const sequences: TrainingSequence[] = [];
  let groupsKept = 0;
  let rolloutsKept = 0;
  for (const { taskId, rollouts } of groups) {
    const stray = rollouts.find(({ trajectory }) => trajectory.taskId !== taskId);
    if (stray) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `Expected rollouts of task ${taskId} in its group, got trajectory ${stray.trajectory.id} of task ${stray.trajectory.taskId}.`,
      });
    }
    const fresh = staleness
      ? rollouts.filter(({ trajectory }) => rolloutLag({ trajectory, history: staleness.history }) <= staleness.maxLag)
      : rollouts;
    dropped.stale += rollouts.length - fresh.length;
    if (fresh.length < 2) {
      dropped['too-small'] += 1;
      continue;
    }
    const shaped = fresh.map(({ reward, outcome }) => reward ?? outcome.reward);
    const raw = fresh.map(({ outcome }) => outcome.reward);
    const signal = groupSignal(filterOn === 'raw' ? raw : shaped, { tolerance });
    if (signal !== 'mixed') {
      dropped[signal] += 1;
      continue;
    }
    const advantages = groupAdvantages({ rewards: shaped, normalisation });
    fresh.forEach(({ trajectory }, index) => {
      sequences.push(...buildSequences({ trajectory, advantage: advantages[index] ?? 0 }));
    });
    groupsKept += 1;
    rolloutsKept += fresh.length;
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
      rollouts: rolloutsKept,
      sequences: sequences.length,
      trainedTokens: sequences.reduce((sum, sequence) => sum + sequence.trainedTokens, 0),
    },
  };
}
