import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sampler } from '@tadpole/contracts';
import {
  createTinkerClient,
  type ProbedTrait,
  probeTinker,
  type TinkerConnection,
  type TinkerProfileName,
  tinkerProfiles,
} from '@tadpole/dppo-trainer';
import { samplerConformance, tinkerConformance, tinkerRequests, trainingClientConformance } from '@tadpole/dppo-trainer/testing';
import { createEngine, type EngineServer, serveEngine } from '@tadpole/embedded-policy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tadpole-served-'));
const config = { vocabularySize: 37, width: 16, layers: 2, heads: 2, feedForward: 24, contextTokens: 128 };
let server: EngineServer;
let connections: TinkerConnection[] = [];

beforeAll(async () => {
  const engine = await createEngine({ config, seed: 1, threads: 1 });
  await engine.saveState(join(folder, 'base.safetensors'));
  await engine.close();
  server = await serveEngine({
    weights: join(folder, 'base.safetensors'),
    checkpoints: join(folder, 'checkpoints'),
    threads: 1,
    pollMs: 500,
    mostModels: 16,
  });
});
afterEach(async () => {
  await Promise.all(connections.map(({ close }) => close()));
  connections = [];
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function connect(wire: 'json' | 'protobuf'): Promise<TinkerConnection> {
  const connection = await createTinkerClient({ baseUrl: server.url, server: { ...tinkerProfiles.tadpole, wire } });
  connections.push(connection);
  return connection;
}

const sequences = [
  [3, 7, 11, 2, 9, 4],
  [5, 1, 30, 8],
  [12, 13, 14, 15, 16, 17, 18],
];
let folders = 0;

describe.each(['json', 'protobuf'] as const)('the embedded engine over HTTP, in %s', (wire) => {
  for (const { name, run } of trainingClientConformance({
    createClient: async () => (await connect(wire)).client,
    sequences,
    createDirectory: async () => join(folder, String(folders++)),
  })) {
    it(name, run);
  }

  const shared: { sampler?: Promise<Sampler> } = {};
  for (const { name, run } of samplerConformance({
    createSampler() {
      shared.sampler ??= createTinkerClient({ baseUrl: server.url, server: { ...tinkerProfiles.tadpole, wire } }).then(({ client }) =>
        client.createSampler(),
      );
      return shared.sampler;
    },
    prompt: [3, 7, 11],
  })) {
    it(name, run);
  }

  it('samples the untrained base', async () => {
    const { base } = await connect(wire);
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 4, seed: 1 };
    const [sequence] = await base.sample({ prompt: [1, 2], count: 1, sampling, stopIds: [] });
    expect(sequence?.ids).toHaveLength(4);
  });
});

describe('the Tinker protocol on the embedded engine', () => {
  const suite = tinkerConformance({
    requests: tinkerRequests({ baseUrl: () => server.url }),
    traits: tinkerProfiles.tadpole,
    baseModel: 'tadpole/embedded',
    tokens: [3, 7, 11, 2, 9, 4, 5, 1, 30, 8, 12, 13],
    prefix: 'conformance',
  });
  for (const { name, run } of suite) it(name, run, 60_000);
});

describe('probing a server', () => {
  const probe = (name: TinkerProfileName) => probeTinker({ baseUrl: server.url, server: name });
  const differing = (traits: readonly ProbedTrait[]) => traits.filter(({ agrees }) => !agrees);

  it('finds what its profile declares', async () => {
    const traits = await probe('tadpole');
    expect(differing(traits)).toEqual([]);
    expect(traits.map(({ trait }) => trait)).toEqual(expect.arrayContaining(['losses.dppo', 'gradientNormMetric', 'seqIdDedup']));
  });

  it('says where it is not what the profile declares', async () => {
    expect(differing(await probe('skyrl-jax'))).toEqual(
      expect.arrayContaining([
        { trait: 'losses.dppo', declared: false, found: true, agrees: false },
        { trait: 'seqIdDedup', declared: false, found: true, agrees: false },
        { trait: 'promptLogprobsLeadingNull', declared: false, found: true, agrees: false },
      ]),
    );
    expect(differing(await probe('hosted'))).toEqual(
      expect.arrayContaining([{ trait: 'topkPromptLogprobs', declared: true, found: false, agrees: false }]),
    );
  });

  it('leaves no model behind', async () => {
    const models = async () => {
      const { cursor } = (await (await fetch(`${server.url}/api/v1/training_runs`)).json()) as { cursor: { total_count: number } };
      return cursor.total_count;
    };
    const before = await models();
    await probe('tadpole');
    expect(await models()).toBe(before);
  });
});
