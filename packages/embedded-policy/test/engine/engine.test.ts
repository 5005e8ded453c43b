import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine, type EngineOptions } from '../../src/engine/create-engine.js';
import { createTrainingClient } from '../../src/engine/create-training-client.js';
import { randomIds, shifted, TINY_MODEL } from './tiny-model.js';

const data = [shifted(randomIds(40, 1)), shifted(randomIds(90, 2))];
const gradients = data.map(({ inputs }) => new Float32Array(inputs.length).fill(-0.01));
const request = { prompt: randomIds(12, 3), count: 2, maxTokens: 20, seed: 5 };

let folder: string;
const engines: Engine[] = [];

async function open(options: EngineOptions = { config: TINY_MODEL, seed: 1 }): Promise<Engine> {
  const engine = await createEngine({ threads: 1, ...options });
  engines.push(engine);
  return engine;
}

async function update(engine: Engine): Promise<void> {
  await engine.forwardBackward({ sequences: data, logprobGradients: gradients });
  await engine.optimStep({ learningRate: 1e-2 });
}

function children(): readonly number[] {
  const tasks = readdirSync('/proc/self/task');
  return tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number));
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tadpole-engine-'));
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the engine', () => {
  it('continues bit-equally from a saved state, optimizer included', async () => {
    const path = join(folder, 'state.safetensors');
    const first = await open();
    await update(first);
    await first.saveState(path);
    await update(first);

    const second = await open({ config: TINY_MODEL, seed: 2 });
    await second.loadState(path);
    await update(second);
    expect(await second.readWeights()).toEqual(await first.readWeights());
  });

  it('starts from a weights file and its config', async () => {
    const path = join(folder, 'weights.safetensors');
    const first = await open();
    await first.saveWeights(path);
    const second = await open({ weights: path });
    expect(second.config).toEqual(TINY_MODEL);
    expect(await second.readWeights()).toEqual(await first.readWeights());
    await expect(second.loadState(path)).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('samples from the snapshot, not from the weights that are trained meanwhile', async () => {
    const engine = await open();
    const before = await engine.createSampler();
    const expected = await before.sample(request);
    const meanwhile = before.sample({ ...request, maxTokens: 100 });
    await update(engine);
    const after = await engine.createSampler();
    expect(await before.sample(request)).toEqual(expected);
    expect(await after.sample(request)).not.toEqual(expected);
    expect((await meanwhile)[0]!.ids.slice(0, 20)).toEqual(expected[0]!.ids);
    expect([before.version, after.version]).toEqual([1, 2]);
    expect(before.weightsHash).not.toBe(after.weightsHash);
  });

  it('reports an error of the worker with its code and goes on', async () => {
    const engine = await open();
    const wrong = { inputs: Int32Array.of(99), targets: Int32Array.of(0) };
    await expect(engine.forward({ sequences: [wrong] })).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await engine.forward({ sequences: [data[0]!] })).toHaveLength(1);
  });

  it('rejects what is in flight when it is closed, and later calls', async () => {
    const engine = await open();
    const sampler = await engine.createSampler();
    const inFlight = sampler.sample({ ...request, maxTokens: 150 }).catch((error: unknown) => error);
    await engine.close();
    expect(await inFlight).toMatchObject({ code: 'engine' });
    await expect(engine.readWeights()).rejects.toMatchObject({ code: 'engine' });
    await engine.close();
  });

  it('rejects a sample when its signal fires, and samples of a disposed snapshot', async () => {
    const engine = await open();
    const sampler = await engine.createSampler();
    const controller = new AbortController();
    const aborted = sampler.sample({ ...request, maxTokens: 150 }, controller.signal).catch((error: unknown) => error);
    controller.abort();
    expect(await aborted).toMatchObject({ code: 'aborted' });
    await sampler.dispose();
    await expect(sampler.sample(request)).rejects.toMatchObject({ code: 'engine' });
  });

  it('sends only the part of a buffer that a view shows', async () => {
    const engine = await open();
    const buffer = Int32Array.of(...data[0]!.inputs, ...data[0]!.targets);
    const views = { inputs: buffer.subarray(0, 39), targets: buffer.subarray(39) };
    expect(await engine.forward({ sequences: [views] })).toEqual(await engine.forward({ sequences: [data[0]!] }));
  });

  it('lets the process exit with its own code while it computes, and then ends', async () => {
    const script = fileURLToPath(new URL('./exit-while-training.ts', import.meta.url));
    const { status, stderr, stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--conditions=@tadpole/source', script], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 7, stderr: '' });
    const started = stdout.trim().split(' ').map(Number);
    expect(started.length).toBeGreaterThan(0);
    await expect.poll(() => started.filter(isRunning), { timeout: 20_000 }).toEqual([]);
  });

  it('rejects what is in flight and later calls when its process is killed', async () => {
    const others = children();
    const engine = await open();
    const sampler = await engine.createSampler();
    const inFlight = sampler.sample({ ...request, maxTokens: 150 }).catch((error: unknown) => error);
    for (const pid of children().filter((child) => !others.includes(child))) process.kill(pid, 'SIGKILL');
    const ended = { code: 'engine', message: expect.stringContaining('ended with SIGKILL; create a new engine') };
    expect(await inFlight).toMatchObject(ended);
    await expect(engine.readWeights()).rejects.toMatchObject(ended);
    await engine.close();
  });

  it('refuses options that do not say which model', async () => {
    await expect(createEngine({})).rejects.toMatchObject({ code: 'invalid-config' });
    await expect(createEngine({ config: { ...TINY_MODEL, width: 18 } })).rejects.toMatchObject({ code: 'invalid-config' });
    await expect(createEngine({ config: TINY_MODEL, weights: new Float32Array(3) })).rejects.toMatchObject({ code: 'invalid-config' });
  });
});

describe('the training client', () => {
  it('trains, saves, restores and samples under the contract', async () => {
    const engine = await open();
    const client = createTrainingClient({ engine });
    const [before] = await client.forward({ data });
    await client.forwardBackward({ data, gradients: gradients.map((row) => Float64Array.from(row)) });
    const { gradientNorm } = await client.optimStep({ learningRate: 1e-2 });
    expect(gradientNorm).toBeGreaterThan(0);
    const directory = join(folder, 'client');
    await client.saveState(directory);
    const trained = await client.createSampler();
    await client.forwardBackward({ data, gradients });
    await client.optimStep({ learningRate: 1e-2 });
    await client.loadState(directory);
    const restored = await client.createSampler();
    expect(restored.weightsVersion).toBe(trained.weightsVersion);

    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 8, seed: 1 };
    const sample = { prompt: [1, 2, 3], count: 2, sampling, stopIds: [] };
    expect(await restored.sample(sample)).toEqual(await trained.sample(sample));
    const [after] = await client.forward({ data });
    expect(after!.logprobs[5]).not.toBe(before!.logprobs[5]);
    expect(await client.capabilities()).toMatchObject({
      contextTokens: 192,
      deterministic: true,
      parameters: (await engine.readWeights()).length,
    });
  });
});
