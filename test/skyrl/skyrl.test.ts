import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTinkerClient, probeTinker, type TinkerConnection, tinkerProfiles } from '@tadpole/dppo-trainer';
import { samplerConformance, tinkerConformance, tinkerRequests, trainingClientConformance } from '@tadpole/dppo-trainer/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type SkyRl, startSkyRl } from './start-skyrl.js';

const folder = mkdtempSync(join(tmpdir(), 'tadpole-skyrl-'));
let server: SkyRl;
let connections: TinkerConnection[] = [];
let folders = 0;

beforeAll(async () => {
  server = await startSkyRl({ folder });
});
afterEach(async () => {
  await Promise.all(connections.map(({ close }) => close()));
  connections = [];
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function connect(): Promise<TinkerConnection> {
  const connection = await createTinkerClient({
    baseUrl: server.url,
    server: 'skyrl-jax',
    rank: 8,
    seed: 1,
    contextTokens: 128,
    apiKey: 'tml-dummy',
  });
  connections.push(connection);
  return connection;
}

const sequences = [
  [30, 70, 110, 20, 90, 40],
  [50, 10, 300, 80],
  [120, 130, 140, 150, 160, 170, 180],
];

describe('SkyRL with JAX on the CPU', () => {
  for (const { name, run } of trainingClientConformance({
    createClient: async () => (await connect()).client,
    sequences,
    createDirectory: async () => join(folder, String(folders++)),
    tolerance: 1e-3,
  })) {
    it(name, run);
  }

  for (const { name, run } of samplerConformance({
    createSampler: async () => (await connect()).client.createSampler(),
    prompt: [30, 70, 110],
  })) {
    it(name, run);
  }
});

describe('the Tinker protocol on SkyRL', () => {
  it('is found by probing as its profile declares it', async () => {
    const traits = await probeTinker({ baseUrl: server.url, server: 'skyrl-jax', apiKey: 'tml-dummy' });
    expect(traits.filter(({ agrees }) => !agrees)).toEqual([]);
  });

  it('is spoken in JSON alone, as its profile declares: 20, a request in protobuf, is refused', async () => {
    expect(tinkerProfiles['skyrl-jax'].wire).toBe('json');
    const { client } = await createTinkerClient({
      ...{ baseUrl: server.url, rank: 8, contextTokens: 128, apiKey: 'tml-dummy', tries: 1 },
      server: { ...tinkerProfiles['skyrl-jax'], wire: 'protobuf' },
    }).then((connection) => {
      connections.push(connection);
      return connection;
    });
    const data = [{ inputs: Int32Array.of(30, 70), targets: Int32Array.of(70, 110) }];
    await expect(client.forward({ data })).rejects.toMatchObject({ code: 'engine' });
  });

  // The name of the model is known once it is made, so that the cases are made twice: for their names, and to run.
  const suite = (baseModel: string) =>
    tinkerConformance({
      requests: tinkerRequests({ baseUrl: () => server.url }),
      traits: tinkerProfiles['skyrl-jax'],
      baseModel,
      tokens: [30, 70, 110, 20, 90, 40, 50, 10, 300, 80, 120, 130],
      prefix: 'conformance',
    });
  for (const [index, { name }] of suite('').entries()) it(name, async () => suite(server.model)[index]?.run());
});
