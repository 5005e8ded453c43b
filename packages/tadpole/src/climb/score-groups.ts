import { type RewardFunction, TadpoleError } from '@tadpole/contracts';
import type { RolloutGroup } from '@tadpole/dppo-trainer';
import type { GatedRollout } from './audit-rollouts.js';

/** Groups of rollouts with their rewards, and what composed rewards were made of. */
export interface ScoredGroups {
  readonly groups: readonly RolloutGroup[];
  /** Scores of a composed reward's parts, of all rollouts. Empty for rewards that are not composed. */
  readonly parts: readonly { readonly name: string; readonly score: number }[];
}

/**
 * Gives every rollout its reward and groups them by task.
 *
 * @throws TadpoleError `invalid-input` for a score that is not finite; whatever the reward function throws.
 */
export async function scoreGroups(options: {
  reward: RewardFunction;
  rollouts: readonly GatedRollout[];
  signal?: AbortSignal | undefined;
}): Promise<ScoredGroups> {
  const { reward, rollouts, signal } = options;
  const groups = new Map<string, { taskId: string; rollouts: RolloutGroup['rollouts'][number][] }>();
  const parts: { name: string; score: number }[] = [];
  for (const { task, trajectory, outcome } of rollouts) {
    const group = groups.get(task.data.id) ?? { taskId: task.data.id, rollouts: [] };
    groups.set(task.data.id, group);
    const scored = await reward.score({ trajectory, outcome, task, ...(signal && { signal }) });
    if (!Number.isFinite(scored.score)) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `Reward "${reward.name}" of trajectory ${trajectory.id}: expected a finite score, got ${scored.score}.`,
      });
    }
    group.rollouts.push({ trajectory, outcome, reward: scored.score });
    for (const [name, { score }] of Object.entries(scored.parts ?? {})) parts.push({ name, score });
  }
  return { groups: [...groups.values()], parts };
}
