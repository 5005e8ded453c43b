import { type Sampler, TadpoleError, type TadpoleEvent, type Task } from '@tadpole/contracts';
import { type Batch, buildBatch, type RolloutGroup, refillCount, successReward } from '@tadpole/dppo-trainer';
import { auditRollouts, type GatedRollout } from './audit-rollouts.js';
import { chooseGroups } from './choose-groups.js';
import type { ClimbContext } from './climb-context.js';
import { type FinishedRollout, rollOutJournaled } from './roll-out-journaled.js';
import { scoreGroups } from './score-groups.js';

/** What an update learns from. */
export interface UpdateRollouts {
  readonly groups: readonly RolloutGroup[];
  /** Context of the sampler that made them. */
  readonly contextTokens: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * The rollouts of one update: graded, audited, gated and rewarded. Groups that teach nothing are replaced by the next tasks' as
 * far as the configuration allows.
 *
 * @throws TadpoleError `sandbox` when too large a share of the rollouts has no score.
 */
export async function* rollOutUpdate(options: {
  context: ClimbContext;
  sampler: Sampler;
  tasks: readonly Task[];
  iteration: number;
  update: number;
}): AsyncGenerator<TadpoleEvent, UpdateRollouts> {
  const { context, sampler, tasks, iteration, update } = options;
  const { configuration } = context;
  const { groupsPerUpdate, maxGroupsPerUpdate = groupsPerUpdate, lengthTermFromIteration, varianceOf } = configuration.training;
  const { signal, renderer, now, reward = successReward({ iteration, lengthTermFromIteration }) } = context.options;
  const { contextTokens } = sampler;
  const startedMs = now().getTime();
  const wanted = Math.min(groupsPerUpdate, tasks.length);
  const maxAsked = Math.min(maxGroupsPerUpdate, tasks.length);
  const rollouts: FinishedRollout[] = [];
  const gated: GatedRollout[] = [];
  const groups: RolloutGroup[] = [];
  const parts = new Map<string, number[]>();
  let asked = 0;
  let counts: Batch['counts'] | undefined;
  for (;;) {
    const count = refillCount({ ...(counts && { counts }), asked, wanted, maxAsked });
    if (count === 0) break;
    const requests = chooseGroups({ configuration, tasks, iteration, update, from: asked, count });
    asked += count;
    const made = yield* rollOutJournaled({ context, purpose: 'train', iteration, sampler, requests });
    rollouts.push(...made);
    assertMostlyScored({ context, rollouts });
    const passed = yield* auditRollouts({ context, iteration, rollouts: made });
    gated.push(...passed);
    const scored = await scoreGroups({ reward, rollouts: passed, signal });
    groups.push(...scored.groups);
    for (const [name, scores] of scored.parts) parts.set(name, [...(parts.get(name) ?? []), ...scores]);
    ({ counts } = buildBatch({ groups, contextTokens, stopIds: renderer.stopIds, ...(varianceOf && { filterOn: varianceOf }) }));
  }
  const rolloutSeconds = (now().getTime() - startedMs) / 1000;
  const metrics = { ...rolloutMetrics({ rollouts, gated }), rolloutSeconds };
  const tokensPerSecond = metrics.generatedTokens / Math.max(0.001, rolloutSeconds);
  const partMeans = Object.fromEntries([...parts].map(([name, scores]) => [`reward.${name}`, mean(scores)]));
  return { groups, contextTokens, metrics: { ...metrics, tokensPerSecond, ...partMeans } };
}

function assertMostlyScored(options: { context: ClimbContext; rollouts: readonly FinishedRollout[] }): void {
  const { rollouts, context } = options;
  const unscored = rollouts.flatMap(({ outcome }) => (outcome.status === 'unscored' ? [outcome] : []));
  const share = unscored.length / rollouts.length;
  if (share <= context.configuration.training.maxUnscoredShare) return;
  throw new TadpoleError({
    code: 'sandbox',
    message: `${unscored.length} of ${rollouts.length} rollouts of this update have no score (allowed share ${context.configuration.training.maxUnscoredShare}); the first: ${unscored[0]?.boundary}: ${unscored[0]?.detail}. Nothing was learned from them. Mend it and resume.`,
  });
}

function rolloutMetrics(options: { rollouts: readonly FinishedRollout[]; gated: readonly GatedRollout[] }) {
  const { rollouts, gated } = options;
  const solved = gated.filter(({ outcome }) => outcome.reward >= 1).length;
  return {
    rollouts: rollouts.length,
    unscored: rollouts.filter(({ outcome }) => outcome.status === 'unscored').length,
    solved,
    scored: gated.length,
    solveRate: gated.length === 0 ? 0 : solved / gated.length,
    rewardMean: mean(gated.map(({ outcome }) => outcome.reward)),
    generatedTokens: rollouts.reduce((sum, { trajectory }) => sum + trajectory.usage.completionTokens, 0),
    turnsMean: rollouts.reduce((sum, { trajectory }) => sum + trajectory.turns.length, 0) / Math.max(1, rollouts.length),
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
