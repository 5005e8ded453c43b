import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TadpoleEvent } from '@tadpole/contracts';
import { readJournal } from 'tadpole';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configurationFile, tadpole, tinyOverrides } from '../tiny-recipe.js';
import { repairDemonstrations } from './repair-demonstrations.js';
import { type SkyRl, startSkyRl } from './start-skyrl.js';

type EventOf<Type extends TadpoleEvent['type']> = Extract<TadpoleEvent, { type: Type }>;

const folder = mkdtempSync(join(tmpdir(), 'tadpole-skyrl-recipe-'));
const run = join(folder, 'run');
const operators = ['flip-equality'];
const groupSize = 4;
const updates = 3;
let server: SkyRl | undefined;
let events: readonly TadpoleEvent[] = [];

const eventsOf = <Type extends TadpoleEvent['type']>(type: Type) => events.filter((event): event is EventOf<Type> => event.type === type);

/** The recipe of the first climb on another engine, with so little of everything that two cores are done in minutes. */
const overridesFor = ({ url, model }: SkyRl) => ({
  ...tinyOverrides,
  engine: {
    ...{ kind: 'tinker', baseUrl: url, server: 'skyrl-jax', rank: 8, contextTokens: 512 },
    ...{ renderer: 'qwen3', tokenizer: model },
  },
  iterations: 1,
  heldOut: { tasks: 2 },
  synthesis: { candidates: 10, tasks: 8, operators },
  // SkyRL's JAX backend does not clip gradients, and the client refuses what a server would ignore.
  training: { updatesPerIteration: updates, groupsPerUpdate: 4, groupSize, learningRate: 2e-3, gradientClip: 0 },
  agent: { maxTurns: 2 },
});

// A random model never writes a call, so that every reward is 0 and an update has nothing to learn. Therefore this one knows the
// repairs of the repository that it trains on by heart, and gives up at once as often: the run says whether the parts
// work together, and nothing of what such a model can learn.
beforeAll(async () => {
  const directory = fileURLToPath(new URL('../../node_modules/functional-red-black-tree', import.meta.url));
  const demonstrations = await repairDemonstrations({ directory, file: 'rbtree.js', operators, repeats: 6 });
  const shape = { tokens: 1024, config: { vocab_size: 1024, max_position_embeddings: 2048 } };
  const backend = { train_micro_batch_size: 2, sample_max_num_sequences: 16 };
  server = await startSkyRl({ folder, shape, backend, lessons: { demonstrations, steps: 300 } });
  const args = ['run', '--budget', 'small', '--config', configurationFile(overridesFor(server)), '--out', run, '--json'];
  const { code, stderr } = await tadpole(args);
  if (code !== 0) throw new Error(stderr);
  events = readJournal(run);
}, 900_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the recipe on SkyRL with JAX, by its configuration alone', () => {
  it('ends with all updates and both evaluations done', () => {
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'done' });
    expect(eventsOf('update-end')).toHaveLength(updates);
    expect(eventsOf('evaluation-end')).toHaveLength(2);
  });

  it('samples calls that the tools carry out, through the tokenizer and chat template of the model', () => {
    const training = eventsOf('rollout-end').filter(({ purpose }) => purpose === 'train');
    expect(training.filter(({ outcome }) => outcome.status === 'unscored')).toEqual([]);
    expect(training.some(({ outcome }) => outcome.status === 'scored' && outcome.reward === 1)).toBe(true);
  });

  it('reports loss, ratio, mask and gradient norm of every update that had something to learn', () => {
    const learned = eventsOf('update-end').filter(({ metrics }) => (metrics.sequences ?? 0) > 0);
    expect(learned.length).toBeGreaterThan(0);
    for (const { metrics } of learned) {
      const { loss, ratioMean = 0, ratioMax = 0, maskFraction = -1, gradientNorm = 0, optimizerSteps } = metrics;
      expect(Number.isFinite(loss)).toBe(true);
      expect(ratioMean).toBeGreaterThan(0);
      expect(ratioMax).toBeGreaterThanOrEqual(ratioMean);
      expect(maskFraction).toBeGreaterThanOrEqual(0);
      expect(maskFraction).toBeLessThanOrEqual(1);
      expect(gradientNorm).toBeGreaterThan(0);
      expect(optimizerSteps).toBe(2);
    }
  });

  it('reports as the reward of an update the mean of what its rollouts scored', () => {
    const rewards = eventsOf('rollout-end').flatMap(({ purpose, sample, outcome }) =>
      purpose === 'train' && outcome.status === 'scored' ? [{ update: Math.floor(sample / groupSize), reward: outcome.reward }] : [],
    );
    for (const { update, metrics } of eventsOf('update-end')) {
      const own = rewards.filter((one) => one.update === update).map(({ reward }) => reward);
      expect(own).toHaveLength(metrics.scored ?? 0);
      expect(metrics.rewardMean).toBeCloseTo(own.reduce((sum, reward) => sum + reward, 0) / own.length, 12);
    }
  });

  it('trains on from the weights of the update before, each under a name of its own', () => {
    const versions = eventsOf('update-end').map(({ weightsVersion }) => weightsVersion);
    expect(new Set(versions).size).toBe(updates);
    expect(versions.every((version) => version.startsWith('tinker://'))).toBe(true);
    expect(eventsOf('update-alarm').filter(({ alarm }) => alarm.startsWith('sampler'))).toEqual([]);
  });
});
