import { setTimeout as sleep } from 'node:timers/promises';
import type { TrainingClient } from '@tadpole/contracts';
import { type Batch, dppoBinaryTv, type TrainingSequence, updatePolicy } from '@tadpole/dppo-trainer';
import { seededRandom } from '@tadpole/taskpilot';
import { createIdleClock, onClock } from './idle-clock.js';
import { serverSeconds } from './server-seconds.js';

/** How much an update samples and trains on; every sequence has the same length, so that the server compiles once. */
export interface Load {
  readonly prompts: number;
  readonly samplesPerPrompt: number;
  readonly promptTokens: number;
  readonly sampledTokens: number;
  readonly vocabulary: number;
  /** Updates before the measured ones, in which the server compiles. */
  readonly warmUps: number;
  readonly updates: number;
}

/** Figures of the measured updates; each of seconds is the sum over them. */
export interface UpdateFigures {
  readonly wallSeconds: number;
  readonly samplingSeconds: number;
  readonly trainingSeconds: number;
  /** Sampled tokens in a second of sampling. */
  readonly sampledTokensPerSecond: number;
  /** Tokens of the sequences, prompts included, in a second of an update's forward, backward and steps. */
  readonly trainedTokensPerSecond: number;
  /** The engine's own time, by its log. */
  readonly serverSeconds: number;
  /** Time in which nothing was asked of the server: loss, mask, batch. */
  readonly clientSeconds: number;
  /** The rest: JSON, the wire, and the server's queue, which looks for work every 0.1 s. */
  readonly wireSeconds: number;
  /** `1 - serverSeconds / wallSeconds`. */
  readonly overheadShare: number;
}

/**
 * Updates by DPPO on what the model itself samples, with rewards of a coin. A wave of sampling, then two minibatches, as the recipe
 * has it; the loss is computed here. Figures are of the measured updates alone.
 */
export async function measureUpdates(options: {
  client: TrainingClient;
  load: Load;
  /** Path of the server's log. */
  log: string;
  /** Milliseconds. */
  now: () => number;
}): Promise<UpdateFigures> {
  const { load, log, now } = options;
  const clock = createIdleClock({ now });
  const client = onClock({ client: options.client, clock });
  const random = seededRandom('gpu');
  let [samplingMs, trainingMs] = [0, 0];
  const round = async (seed: number) => {
    const startedMs = now();
    const batch = await sampleBatch({ client, load, seed, random });
    const sampledMs = now();
    const optimizer = { learningRate: 1e-4, beta1: 0.9, beta2: 0.98, weightDecay: 0, gradientClip: 0 };
    const { completed, alarms } = await updatePolicy({ client, loss: dppoBinaryTv(), batch, optimizer, minibatches: 2, random });
    if (!completed) throw new Error(`Expected the update to be completed, got ${alarms.map(({ detail }) => detail).join('; ')}`);
    samplingMs += sampledMs - startedMs;
    trainingMs += now() - sampledMs;
  };
  for (let warmUp = 0; warmUp < load.warmUps; warmUp += 1) await round(warmUp);
  await logged();
  const before = { server: serverSeconds({ log }), idleMs: clock.readMs(), startedMs: now() };
  [samplingMs, trainingMs] = [0, 0];
  for (let update = 0; update < load.updates; update += 1) await round(load.warmUps + update);
  const wall = (now() - before.startedMs) / 1000;
  const idle = (clock.readMs() - before.idleMs) / 1000;
  await logged();
  const server = serverSeconds({ log }) - before.server;
  const sequences = load.updates * load.prompts * load.samplesPerPrompt;
  return {
    ...{ wallSeconds: wall, samplingSeconds: samplingMs / 1000, trainingSeconds: trainingMs / 1000 },
    sampledTokensPerSecond: (sequences * load.sampledTokens) / (samplingMs / 1000),
    trainedTokensPerSecond: (sequences * (load.promptTokens + load.sampledTokens)) / (trainingMs / 1000),
    ...{ serverSeconds: server, clientSeconds: idle, wireSeconds: wall - server - idle, overheadShare: 1 - server / wall },
  };
}

async function sampleBatch(options: { client: TrainingClient; load: Load; seed: number; random: () => number }): Promise<Batch> {
  const { client, load, seed, random } = options;
  const sampler = await client.createSampler();
  const prompts = Array.from({ length: load.prompts }, () =>
    Array.from({ length: load.promptTokens }, () => Math.floor(random() * load.vocabulary)),
  );
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: load.sampledTokens };
  const groups = await Promise.all(
    prompts.map(async (prompt, index) => {
      const call = { prompt, count: load.samplesPerPrompt, sampling: { ...sampling, seed: seed * 1000 + index }, stopIds: [] };
      const sampled = await sampler.sample(call);
      return sampled.map(({ ids, logprobs }, sample) =>
        toSequence({ prompt, ids, logprobs, advantage: random() < 0.5 ? -1 : 1, name: `${seed}-${index}-${sample}` }),
      );
    }),
  );
  const sequences = groups.flat();
  const trainedTokens = sequences.reduce((sum, one) => sum + one.trainedTokens, 0);
  const dropped = { groupsAllPass: 0, groupsAllFail: 0, groupsOtherConstant: 0, groupsTooSmall: 0, rolloutsStale: 0 };
  const kept = { groups: groups.length, groupsKept: groups.length, rollouts: sequences.length, sequences: sequences.length };
  return { sequences, counts: { ...dropped, ...kept, trainedTokens } };
}

/** One sampled continuation as the trainer takes it, shifted by one. */
function toSequence(options: {
  prompt: readonly number[];
  ids: readonly number[];
  logprobs: readonly number[];
  advantage: number;
  name: string;
}): TrainingSequence {
  const { prompt, ids, logprobs, advantage, name } = options;
  const all = [...prompt, ...ids];
  const ahead = Array.from({ length: prompt.length - 1 }, () => 0);
  return {
    ...{ trajectoryId: name, taskId: name, trainedTokens: ids.length },
    datum: { inputs: Int32Array.from(all.slice(0, -1)), targets: Int32Array.from(all.slice(1)) },
    rolloutLogprobs: Float32Array.from([...ahead, ...logprobs]),
    advantages: Float32Array.from([...ahead, ...ids.map(() => advantage)]),
    mask: Float32Array.from([...ahead, ...ids.map(() => 1)]),
  };
}

/** The server's log comes through a pipe, a little behind what it answered. */
const logged = () => sleep(1_000);
