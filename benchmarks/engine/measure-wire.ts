import { join } from 'node:path';
import type { Datum, TrainingClient } from '@tadpole/contracts';
import { createTinkerClient, dppoBinaryTv, tinkerProfiles } from '@tadpole/dppo-trainer';
import { createEngine, createTrainingClient, type ModelConfig, serveEngine } from '@tadpole/embedded-policy';
import { median, timed } from '../runtime/bench-workspace.js';
import { randomTokens } from './random-tokens.js';

/** Milliseconds, medians of interleaved rounds. */
export interface WireTimes {
  /** One update with the engine as `TrainingClient` of this process. */
  readonly inProcess: number;
  /** The same calls over HTTP. */
  readonly json: number;
  readonly protobuf: number;
  /** The update as the training loop sends it where the server has the loss: one pass that computes it there. */
  readonly jsonOwnLoss: number;
  readonly protobufOwnLoss: number;
  /** A forward pass alone, in process. The server makes one with every backward pass, since its losses read log-probabilities. */
  readonly forward: number;
}

/** A batch as reinforcement learning has it: 64 sequences of 256 tokens, of which the last 128 are trained. */
const batch = { sequences: 64, length: 256, trained: 128 };

/**
 * One update, that is forward, forward and backward, AdamW and a new sampler, in process and behind `serveEngine` on this
 * machine. Server and client share this process, so that the work of both sides counts; the engine has its own, as ever.
 */
export async function measureWire(options: {
  config: ModelConfig;
  checkpoint: string;
  folder: string;
  threads: number;
  rounds: number;
}): Promise<WireTimes> {
  const { config, checkpoint, folder, threads, rounds } = options;
  const engine = await createEngine({ weights: checkpoint, threads });
  const server = await serveEngine({ weights: checkpoint, checkpoints: join(folder, 'served'), threads });
  const connect = (wire: 'json' | 'protobuf') =>
    createTinkerClient({ baseUrl: server.url, server: { ...tinkerProfiles.tadpole, wire }, seed: 1 });
  const [json, protobuf] = [await connect('json'), await connect('protobuf')];
  const local = createTrainingClient({ engine });
  const data = Array.from({ length: batch.sequences }, (_, seed) => {
    const ids = randomTokens({ length: batch.length + 1, vocabularySize: config.vocabularySize, seed });
    return { inputs: ids.slice(0, -1), targets: ids.slice(1) };
  });
  const work = {
    inProcess: () => updateByGradient(local, data),
    json: () => updateByGradient(json.client, data),
    protobuf: () => updateByGradient(protobuf.client, data),
    jsonOwnLoss: () => updateByOwnLoss(json.client, data),
    protobufOwnLoss: () => updateByOwnLoss(protobuf.client, data),
    forward: () => local.forward({ data }),
  };
  const names = Object.keys(work) as (keyof WireTimes)[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  try {
    for (const name of names) await work[name]();
    for (let round = 0; round < rounds; round += 1) for (const name of names) times.get(name)?.push(await timed(work[name]));
  } finally {
    await Promise.all([json.close(), protobuf.close()]);
    await Promise.all([server.close(), engine.close()]);
  }
  const of = (name: keyof WireTimes) => median(times.get(name) ?? []);
  return {
    ...{ inProcess: of('inProcess'), json: of('json'), protobuf: of('protobuf') },
    ...{ jsonOwnLoss: of('jsonOwnLoss'), protobufOwnLoss: of('protobufOwnLoss'), forward: of('forward') },
  };
}

/** The loss computed here: a forward pass, then its gradients. Step and sampler do not wait for the answers before them. */
async function updateByGradient(client: TrainingClient, data: readonly Datum[]): Promise<void> {
  const rows = await client.forward({ data });
  const gradients = data.map(({ targets }) => new Float32Array(targets.length).fill(-1e-4, targets.length - batch.trained));
  const backward = client.forwardBackward({ data, gradients, logprobs: rows.map(({ logprobs }) => logprobs) });
  await Promise.all([backward, client.optimStep({ learningRate: 1e-4 }), client.createSampler()]);
}

/** The loss computed by the server. */
async function updateByOwnLoss(client: TrainingClient, data: readonly Datum[]): Promise<void> {
  const { engineLoss } = dppoBinaryTv();
  if (engineLoss === undefined || client.forwardBackwardLoss === undefined) throw new Error('expected a server with a loss of its own');
  const inputs = data.map(({ targets: { length } }) => ({
    rolloutLogprobs: new Float32Array(length).fill(-6, length - batch.trained),
    advantages: new Float32Array(length).fill(1e-4, length - batch.trained),
  }));
  const backward = client.forwardBackwardLoss({ data, loss: engineLoss, inputs });
  await Promise.all([backward, client.optimStep({ learningRate: 1e-4 }), client.createSampler()]);
}
