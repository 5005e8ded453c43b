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
  const { groupsPerUpdate, maxGroupsPerUpdate = groupsPerUpdate, lengthTermFromIteration } = configuration.training;
  const { signal, now, reward = successReward({ iteration, lengthTermFromIteration }) } = context.options;
  const { contextTokens } = sampler;
  const startedMs = now().getTime();
  const wanted = Math.min(groupsPerUpdate, tasks.length);
  const maxAsked = Math.min(maxGroupsPerUpdate, tasks.length);
  const rollouts: FinishedRollout[] = [];
  const gated: GatedRollout[] = [];
  const groups: RolloutGroup[] = [];
  const parts: { name: string; score: number }[] = [];
  let asked = 0;
  let count = refillCount({ asked, wanted, maxAsked });
  while (count > 0) {
    const requests = chooseGroups({ configuration, tasks, iteration, update, from: asked, count });
    asked += count;
    const made = yield* rollOutJournaled({ context, purpose: 'train', iteration, sampler, requests });
    rollouts.push(...made);
    assertMostlyScored({ context, rollouts });
    const passed = yield* auditRollouts({ context, iteration, rollouts: made });
    gated.push(...passed);
    const scored = await scoreGroups({ reward, rollouts: passed, signal });
    groups.push(...scored.groups);
    parts.push(...scored.parts);
    // What is kept matters only while more may be asked for.
    count = asked === maxAsked ? 0 : refillCount({ counts: batchOf({ context, groups, contextTokens }).counts, asked, wanted, maxAsked });
  }
  const rolloutSeconds = (now().getTime() - startedMs) / 1000;
  const metrics = { ...rolloutMetrics({ rollouts, gated }), rolloutSeconds };
  const tokensPerSecond = metrics.generatedTokens / Math.max(0.001, rolloutSeconds);
  return { groups, contextTokens, metrics: { ...metrics, tokensPerSecond, ...partMeans(parts) } };
}

/** The batch that an update's rollouts make, as configured. @param options.history - see `runUpdate`; without it every rollout is fresh enough */
export function batchOf(options: {
  context: ClimbContext;
  groups: readonly RolloutGroup[];
  contextTokens: number;
  history?: readonly string[];
}): Batch {
  const { context, groups, contextTokens, history } = options;
  const { advantages, varianceOf, maxLag = 0 } = context.configuration.training;
  return buildBatch({
    ...{ groups, contextTokens, stopIds: context.options.renderer.stopIds },
    normalisation: advantages,
    ...(varianceOf && { filterOn: varianceOf }),
    ...(history && { staleness: { history, maxLag } }),
  });
}

/** By name of a part, as `reward.NAME`: the mean of its scores. */
function partMeans(parts: readonly { readonly name: string; readonly score: number }[]): Record<string, number> {
  const names = [...new Set(parts.map(({ name }) => name))];
  return Object.fromEntries(
    names.map((name) => [`reward.${name}`, mean(parts.flatMap((part) => (part.name === name ? [part.score] : [])))]),
  );
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
