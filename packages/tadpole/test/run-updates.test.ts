import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TadpoleEvent, Task, TrainingClient } from '@tadpole/contracts';
import { composeRewards } from '@tadpole/dppo-trainer';
import { createBigramClient } from '@tadpole/dppo-trainer/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { chooseGroups } from '../src/climb/choose-groups.js';
import type { ClimbContext } from '../src/climb/climb-context.js';
import { runUpdates } from '../src/climb/run-updates.js';
import { synthesizeTasks } from '../src/climb/synthesize-tasks.js';
import { type Configuration, overrideConfiguration } from '../src/run/configuration.js';
import { createRun } from '../src/run/run-store.js';
import { fixtureContext, fixtureSampler, fixtureSnapshot, fixtureSynthesis } from './fixture-climb.js';

type EventOf<Type extends TadpoleEvent['type']> = Extract<TadpoleEvent, { type: Type }>;
const snapshot = fixtureSnapshot();
let made = 0;

beforeEach(() => {
  made = 0;
});

/** A real client whose samplers are numbered: weights-0 is before the first update. */
function numberedClient(): TrainingClient {
  const client = createBigramClient({ vocabularySize: 4, contextTokens: 64, seed: 1 });
  return { ...client, createSampler: async () => ({ ...(await client.createSampler()), weightsVersion: `weights-${made++}` }) };
}

async function open(training: Partial<Configuration['training']>): Promise<{ context: ClimbContext; tasks: readonly Task[] }> {
  const configuration = overrideConfiguration({
    base: fixtureSynthesis(),
    overrides: { training: { updatesPerIteration: 4, groupsPerUpdate: 1, groupSize: 2, ...training } },
    source: 'test',
  });
  const now = () => new Date('2026-12-01T00:00:00.000Z');
  const directory = mkdtempSync(join(tmpdir(), 'tadpole-run-'));
  const store = createRun({ directory, runId: 'run', configuration, versions: {}, now });
  const repository = { ...configuration.repositories[0], heldOutFiles: [] } as (typeof configuration.repositories)[number];
  const synthesis = synthesizeTasks({
    context: fixtureContext({ store, rate: 0.5 }),
    snapshots: [{ repository, snapshot }],
    heldOut: [],
    sampler: fixtureSampler('weights-synthesis'),
    iteration: 0,
  });
  let step = await synthesis.next();
  while (step.done !== true) step = await synthesis.next();
  const context = fixtureContext({ store, rate: 0 });
  return { context: { ...context, options: { ...context.options, client: numberedClient() } }, tasks: step.value };
}

async function update(options: { context: ClimbContext; tasks: readonly Task[]; firstUpdate?: number }) {
  const { context, tasks, firstUpdate = 0 } = options;
  const { client } = context.options;
  const { maxLag = 0 } = context.configuration.training;
  const samplers = new Map();
  for (let before = Math.max(0, firstUpdate - maxLag); before <= firstUpdate; before += 1)
    samplers.set(before, await client.createSampler());
  const events: TadpoleEvent[] = [];
  for await (const event of runUpdates({ context, samplers, tasks, iteration: 0, firstUpdate })) events.push(event);
  const ofType = <Type extends TadpoleEvent['type']>(type: Type) => events.filter((event): event is EventOf<Type> => event.type === type);
  return { events, updates: ofType('update-end'), rollouts: ofType('rollout-end') };
}

const versionsOf = (rollouts: readonly EventOf<'rollout-end'>[]) => [...new Set(rollouts.map(({ weightsVersion }) => weightsVersion))];

describe('the updates of an iteration', () => {
  it('learn from the newest weights alone, without a lag', async () => {
    const { rollouts, updates } = await update(await open({}));
    expect(versionsOf(rollouts)).toEqual(['weights-0', 'weights-1', 'weights-2', 'weights-3']);
    expect(updates.map(({ metrics }) => [metrics.rollouts, metrics.rolloutsStale])).toEqual([2, 2, 2, 2].map((count) => [count, 0]));
  });

  it('with a lag, take rollouts of as many updates before, whatever the time that things took', async () => {
    const { rollouts, updates } = await update(await open({ maxLag: 2 }));
    expect(rollouts.map(({ weightsVersion }) => weightsVersion).sort()).toEqual(
      ['weights-0', 'weights-0', 'weights-0', 'weights-1'].flatMap((version) => [version, version]),
    );
    expect(updates.map(({ metrics }) => metrics.rolloutsStale)).toEqual([0, 0, 0, 0]);
  });

  it('after a resume, take rollouts of the samplers from before it', async () => {
    const { rollouts } = await update({ ...(await open({ maxLag: 1 })), firstUpdate: 2 });
    // weights-0 is the sampler before update 1, weights-1 the one before update 2.
    expect(versionsOf(rollouts)).toEqual(['weights-0', 'weights-1']);
  });

  it('replace groups that teach nothing until the bound', async () => {
    const { context, tasks } = await open({ groupsPerUpdate: 1, maxGroupsPerUpdate: 3 });
    expect(tasks.length).toBeGreaterThanOrEqual(3);
    const { updates, rollouts } = await update({ context, tasks });
    expect(updates.map(({ metrics }) => [metrics.groups, metrics.groupsAllFail, metrics.groupsKept])).toEqual(
      [1, 2, 3, 4].map(() => [3, 3, 0]),
    );
    expect(rollouts).toHaveLength(4 * 3 * 2);
  });

  it('end with an error of the rollouts, and nothing goes on behind it', async () => {
    const { context, tasks } = await open({ maxLag: 3 });
    const grader = { grade: async () => ({ status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'gone' }) as const };
    await expect(update({ context: { ...context, grader }, tasks })).rejects.toMatchObject({ code: 'sandbox' });
    const lines = context.store.journal.events.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(context.store.journal.events).toHaveLength(lines);
  });

  it('refuse a lag with an engine whose samplers follow its weights', async () => {
    const { context, tasks } = await open({ maxLag: 1 });
    const { client } = context.options;
    const mutable = { ...client, capabilities: async () => ({ ...(await client.capabilities()), samplerIsSnapshot: false }) };
    await expect(update({ context: { ...context, options: { ...context.options, client: mutable } }, tasks })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/maxLag/),
    });
  });

  it("journal the means of a composed reward's parts", async () => {
    const { context, tasks } = await open({ updatesPerIteration: 1 });
    const reward = composeRewards({
      rewards: [
        { reward: { name: 'passes', score: ({ outcome }) => ({ score: outcome.reward }) }, weight: 1 },
        { reward: { name: 'turns', score: ({ trajectory }) => ({ score: trajectory.turns.length }) }, weight: -0.1 },
      ],
    });
    const { updates } = await update({ context: { ...context, options: { ...context.options, reward } }, tasks });
    expect(updates[0]?.metrics).toMatchObject({ 'reward.passes': 0, 'reward.turns': 2 });
  });

  it('choose each task of an update once, and go round the order from update to update', async () => {
    const { context, tasks } = await open({ groupsPerUpdate: 2 });
    const { configuration } = context;
    const choose = (at: { update: number; from: number; count: number }) =>
      chooseGroups({ configuration, tasks, iteration: 0, ...at }).map(({ task }) => task.data.id);
    const all = choose({ update: 0, from: 0, count: 99 });
    expect([...all].sort()).toEqual(tasks.map(({ data }) => data.id).sort());
    expect([...choose({ update: 0, from: 0, count: 2 }), ...choose({ update: 0, from: 2, count: 99 })]).toEqual(all);
    expect(choose({ update: 1, from: 0, count: 1 })).toEqual([all[2 % all.length]]);
  });
});
