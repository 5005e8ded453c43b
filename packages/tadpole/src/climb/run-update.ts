import { join } from 'node:path';
import { type Sampler, TadpoleError, type TadpoleEvent, type Task } from '@tadpole/contracts';
import {
  buildBatch,
  type CanaryReading,
  type CanaryReport,
  checkCanary,
  countGeneratedTokens,
  isTruncated,
  lengthReward,
  type RolloutGroup,
  truncationReward,
  updatePolicy,
} from '@tadpole/dppo-trainer';
import { seededRandom } from '@tadpole/taskpilot';
import { auditRollouts, type GatedRollout } from './audit-rollouts.js';
import type { ClimbContext } from './climb-context.js';
import { checkpointName } from './resume-position.js';
import { type FinishedRollout, rollOutJournaled } from './roll-out-journaled.js';

/**
 * One update: groups of rollouts, graded, audited, gated and shaped; DPPO over their tokens; a new sampler,
 * checked against the trainer; the state saved, then journaled. Returns the new sampler.
 *
 * @throws TadpoleError `engine` when the loss or a gradient is not finite, or the new sampler disagrees with the
 * trainer; `sandbox` when too large a share of the rollouts has no score.
 */
export async function* runUpdate(options: {
  context: ClimbContext;
  sampler: Sampler;
  tasks: readonly Task[];
  iteration: number;
  update: number;
  canary: CanaryReading | undefined;
}): AsyncGenerator<TadpoleEvent, { sampler: Sampler; canary: CanaryReading }> {
  const { context, sampler, iteration, update } = options;
  const { configuration, store } = context;
  const { client } = context.options;
  const startedMs = context.options.now().getTime();

  const requests = chooseGroups({ ...options, configuration: context.configuration });
  const rollouts = yield* rollOutJournaled({ context, purpose: 'train', iteration, sampler, requests });
  assertMostlyScored({ context, rollouts });
  const gated = yield* auditRollouts({ context, iteration, rollouts });
  const rolledOutMs = context.options.now().getTime();

  const { contextTokens } = sampler;
  const batch = buildBatch({
    groups: await shapedGroups({ context, gated, iteration }),
    ...{ contextTokens, stopIds: context.options.renderer.stopIds },
  });
  const metrics: Record<string, number> = { ...batch.counts, ...rolloutMetrics({ rollouts, gated }) };
  if (batch.sequences.length > 0) {
    const { training } = configuration;
    const report = await updatePolicy({
      client,
      loss: context.loss,
      batch,
      optimizer: optimizerOf(training),
      minibatches: training.minibatches,
      epochs: training.epochs,
      random: seededRandom(`${configuration.seed} minibatches ${iteration} ${update}`),
      signal: context.options.signal,
    });
    Object.assign(metrics, report.metrics);
    for (const { kind, detail } of report.alarms)
      yield context.recordOnce({ type: 'update-alarm', iteration, update, alarm: kind, detail });
    if (!report.completed) {
      throw new TadpoleError({
        code: 'engine',
        message: `Update ${update} of iteration ${iteration} was stopped: ${report.alarms.map(({ detail }) => detail).join('; ')}. The weights before it are in ${store.directory}/checkpoints; lower the learning rate.`,
      });
    }
  }

  const next = await client.createSampler();
  const { reading, alarms } = await readCanary({ context, sampler: next, previous: options.canary, trained: batch.sequences.length > 0 });
  for (const { kind, detail } of alarms) yield context.recordOnce({ type: 'update-alarm', iteration, update, alarm: kind, detail });
  assertFollows(alarms);
  const directory = join(store.folder('checkpoints'), checkpointName({ iteration, update }));
  await client.saveState(directory);
  const finishedMs = context.options.now().getTime();
  metrics.rolloutSeconds = (rolledOutMs - startedMs) / 1000;
  metrics.updateSeconds = (finishedMs - rolledOutMs) / 1000;
  metrics.tokensPerSecond = (metrics.generatedTokens ?? 0) / Math.max(0.001, metrics.rolloutSeconds);
  yield context.record({
    type: 'update-end',
    iteration,
    update,
    weightsVersion: next.weightsVersion,
    metrics,
  });
  return { sampler: next, canary: reading };
}

/** The next `groupsPerUpdate` tasks of the iteration's order, going round; a task is at most once in an update. */
function chooseGroups(options: {
  configuration: ClimbContext['configuration'];
  tasks: readonly Task[];
  iteration: number;
  update: number;
}) {
  const { configuration, tasks, iteration, update } = options;
  const { groupsPerUpdate, groupSize } = configuration.training;
  const order = shuffle({ items: tasks, random: seededRandom(`${configuration.seed} order ${iteration}`) });
  const groups = Math.min(groupsPerUpdate, order.length);
  const samples = Array.from({ length: groupSize }, (_, index) => update * groupSize + index);
  return Array.from({ length: groups }, (_, index) => ({ task: order[(update * groups + index) % order.length] as Task, samples }));
}

function shuffle<Item>(options: { items: readonly Item[]; random: () => number }): readonly Item[] {
  const shuffled = [...options.items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(options.random() * (last + 1));
    const moved = shuffled[last] as Item;
    shuffled[last] = shuffled[other] as Item;
    shuffled[other] = moved;
  }
  return shuffled;
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

async function shapedGroups(options: {
  context: ClimbContext;
  gated: readonly GatedRollout[];
  iteration: number;
}): Promise<readonly RolloutGroup[]> {
  const { context, gated, iteration } = options;
  const groups = new Map<string, { taskId: string; rollouts: RolloutGroup['rollouts'][number][] }>();
  for (const { task, trajectory, outcome } of gated) {
    const group = groups.get(task.data.id) ?? { taskId: task.data.id, rollouts: [] };
    groups.set(task.data.id, group);
    const { reward, signal } = context.options;
    const score = reward
      ? (await reward.score({ trajectory, outcome, task, signal })).score
      : shapedReward({
          reward: outcome.reward,
          trajectory,
          lengthTerm: iteration >= context.configuration.training.lengthTermFromIteration,
        });
    group.rollouts.push({ trajectory, outcome, reward: score });
  }
  return [...groups.values()];
}

function shapedReward(options: { reward: number; trajectory: GatedRollout['trajectory']; lengthTerm: boolean }): number {
  const facts = { reward: options.reward, truncated: isTruncated(options.trajectory.stopReason) };
  return options.lengthTerm
    ? lengthReward({ ...facts, generatedTokens: countGeneratedTokens(options.trajectory) })
    : truncationReward(facts);
}

function rolloutMetrics(options: { rollouts: readonly FinishedRollout[]; gated: readonly GatedRollout[] }): Record<string, number> {
  const { rollouts, gated } = options;
  const solved = gated.filter(({ outcome }) => outcome.reward >= 1).length;
  return {
    rollouts: rollouts.length,
    unscored: rollouts.filter(({ outcome }) => outcome.status === 'unscored').length,
    solved,
    scored: gated.length,
    solveRate: gated.length === 0 ? 0 : solved / gated.length,
    rewardMean: gated.length === 0 ? 0 : gated.reduce((sum, { outcome }) => sum + outcome.reward, 0) / gated.length,
    generatedTokens: rollouts.reduce((sum, { trajectory }) => sum + trajectory.usage.completionTokens, 0),
    turnsMean: rollouts.reduce((sum, { trajectory }) => sum + trajectory.turns.length, 0) / Math.max(1, rollouts.length),
  };
}

function optimizerOf(training: ClimbContext['configuration']['training']) {
  const { learningRate, beta1, beta2, weightDecay, gradientClip } = training;
  return { learningRate, beta1, beta2, weightDecay, gradientClip };
}

async function readCanary(options: {
  context: ClimbContext;
  sampler: Sampler;
  previous: CanaryReading | undefined;
  trained: boolean;
}): Promise<CanaryReport> {
  const { context, sampler } = options;
  const previous = options.trained && context.configuration.training.learningRate > 0 ? options.previous : undefined;
  return checkCanary({ client: context.options.client, sampler, ...context.canary, previous });
}

function assertFollows(alarms: CanaryReport['alarms']): void {
  const serious = alarms.filter(({ kind }) => kind === 'sampler-differs' || kind === 'sampler-stale');
  if (serious.length === 0) return;
  const message = `The new sampler does not follow the trainer: ${serious.map(({ detail }) => detail).join('; ')}`;
  throw new TadpoleError({ code: 'engine', message });
}
