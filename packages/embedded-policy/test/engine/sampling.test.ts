import { beforeAll, describe, expect, it } from 'vitest';
import { loadRuntime, type OnnxRuntime } from '../../src/engine/load-runtime.js';
import { initialiseWeights } from '../../src/engine/model/initialise-weights.js';
import type { ModelConfig } from '../../src/engine/model/model-config.js';
import { prefillGraph } from '../../src/engine/model/prefill-graph.js';
import { createRandom } from '../../src/engine/random.js';
import { createDecodeSessions } from '../../src/engine/sampling/decode-sessions.js';
import { pickToken } from '../../src/engine/sampling/pick-token.js';
import type { SampleRequest, TokenSequence } from '../../src/engine/sampling/sample-request.js';
import { type BatchSampler, createBatchSampler, type SamplingSessions } from '../../src/engine/sampling/sampler.js';
import { createTrainer } from '../../src/engine/training/trainer.js';
import { randomIds, shifted } from './tiny-model.js';

/** Wide enough that matrix kernels split their work, unlike the tiny model's. */
const WIDER_MODEL: ModelConfig = { vocabularySize: 300, width: 64, layers: 2, heads: 4, feedForward: 176, contextTokens: 320 };

let runtime: OnnxRuntime;
let sessions: SamplingSessions;
const weights = initialiseWeights(WIDER_MODEL, 3);

beforeAll(async () => {
  runtime = await loadRuntime();
  sessions = {
    prefill: await runtime.createSession(prefillGraph(WIDER_MODEL), { threads: 1 }),
    decode: createDecodeSessions(runtime, WIDER_MODEL),
  };
});

function newSampler(maxBatch = 64): BatchSampler {
  return createBatchSampler({ runtime, config: WIDER_MODEL, weights, sessions, maxBatch });
}

async function finish(sampler: BatchSampler): Promise<void> {
  while (sampler.isBusy()) await sampler.step();
}

async function sampleAlone(request: SampleRequest): Promise<TokenSequence[]> {
  const sampler = newSampler();
  const sampled = sampler.submit(request);
  await finish(sampler);
  return sampled;
}

const prompt = (length: number, seed: number) => randomIds(length, seed, WIDER_MODEL.vocabularySize);

describe('the sampler', () => {
  it('reports the log-probabilities that the trainer computes for the same tokens', async () => {
    const trainer = createTrainer({ runtime, config: WIDER_MODEL, weights: weights.slice(), threads: 1, tokenBudget: 2048 });
    const requests = [1, 2, 63, 64, 65, 130].map((length) => ({ prompt: prompt(length, length), count: 2, maxTokens: 80, seed: length }));
    const sampler = newSampler();
    const sampled = requests.map((request) => sampler.submit(request));
    await finish(sampler);
    for (const [index, sequences] of (await Promise.all(sampled)).entries()) {
      const start = requests[index]!.prompt.length - 1;
      const computed = await trainer.forward(sequences.map(({ ids }) => shifted(Int32Array.of(...requests[index]!.prompt, ...ids))));
      for (const [place, { logprobs }] of sequences.entries()) {
        const worst = logprobs.reduce((most, value, step) => Math.max(most, Math.abs(value - computed[place]!.logprobs[start + step]!)), 0);
        expect(worst).toBeLessThan(1e-4);
      }
    }
  });

  it("reports the trainer's log-probabilities also where products are summed in parts", async () => {
    const config = { vocabularySize: 90, width: 192, layers: 1, heads: 4, feedForward: 300, contextTokens: 128 };
    const wide = initialiseWeights(config, 5);
    const trainer = createTrainer({ runtime, config, weights: wide.slice(), threads: 1, tokenBudget: 2048 });
    const prefill = await runtime.createSession(prefillGraph(config), { threads: 1 });
    const decode = createDecodeSessions(runtime, config);
    const sampler = createBatchSampler({ runtime, config, weights: wide, sessions: { prefill, decode }, maxBatch: 64 });
    const request = { prompt: randomIds(9, 1, config.vocabularySize), count: 3, maxTokens: 30, seed: 2 };
    const sampled = sampler.submit(request);
    await finish(sampler);
    const sequences = await sampled;
    const computed = await trainer.forward(sequences.map(({ ids }) => shifted(Int32Array.of(...request.prompt, ...ids))));
    for (const [place, { logprobs }] of sequences.entries()) {
      const worst = logprobs.reduce((most, value, step) => Math.max(most, Math.abs(value - computed[place]!.logprobs[8 + step]!)), 0);
      expect(worst).toBeLessThan(1e-5);
    }
  });

  it('gives the same samples after more versions of the weights than sessions are kept', async () => {
    const request = { prompt: prompt(12, 1), count: 2, maxTokens: 12, seed: 3 };
    const versions = Array.from({ length: 7 }, (_, seed) => initialiseWeights(WIDER_MODEL, seed));
    const samplers = versions.map((version) =>
      createBatchSampler({ runtime, config: WIDER_MODEL, weights: version, sessions, maxBatch: 64 }),
    );
    const sampleAll = async () => {
      const sampled = samplers.map((sampler) => sampler.submit(request));
      while (samplers.some((sampler) => sampler.isBusy())) for (const sampler of samplers) await sampler.step();
      return Promise.all(sampled);
    };
    const first = await sampleAll();
    expect(new Set(first.map(([sequence]) => sequence!.ids.join())).size).toBe(7);
    expect(await sampleAll()).toEqual(first);
    samplers[0]!.abort(new Error('over'));
    expect(await sampleAll()).toEqual(first);
  });

  it('gives bit-equal samples whatever else is in flight and whenever it arrives', async () => {
    const requests = [5, 1, 64, 100, 140].map((length) => ({ prompt: prompt(length, length), count: 2, maxTokens: 40, seed: length }));
    const expected: TokenSequence[][] = [];
    for (const request of requests) expected.push(await sampleAlone(request));

    for (const companions of [1, 5, 24]) {
      const sampler = newSampler();
      const others = Array.from({ length: companions }, (_, index) =>
        sampler.submit({ prompt: prompt(3 + index * 7, 50 + index), count: 1 + (index % 3), maxTokens: 5 + index * 3, seed: index }),
      );
      const sampled: Promise<TokenSequence[]>[] = [];
      for (const [index, request] of requests.entries()) {
        for (let step = 0; step < index * 2; step++) await sampler.step();
        sampled.push(sampler.submit(request));
      }
      await finish(sampler);
      await Promise.all(others);
      expect(await Promise.all(sampled)).toEqual(expected);
    }
  });

  it('gives the first samples of a larger group when fewer are asked for, and when the batch has no room for all', async () => {
    const request = { prompt: prompt(40, 1), maxTokens: 20, seed: 9 };
    const many = await sampleAlone({ ...request, count: 9 });
    expect(await sampleAlone({ ...request, count: 3 })).toEqual(many.slice(0, 3));
    const narrow = newSampler(4);
    const sampled = narrow.submit({ ...request, count: 9 });
    await finish(narrow);
    expect(await sampled).toEqual(many);
  });

  it('stops at a stop token, keeps it, and says so', async () => {
    const request = { prompt: prompt(10, 2), maxTokens: 50, seed: 4 };
    const [free] = await sampleAlone(request);
    const stopId = free!.ids[7]!;
    const [stopped] = await sampleAlone({ ...request, stopIds: [stopId] });
    const end = free!.ids.indexOf(stopId) + 1;
    expect(free!.stopReason).toBe('length');
    expect(stopped).toMatchObject({ ids: free!.ids.slice(0, end), logprobs: free!.logprobs.slice(0, end), stopReason: 'stop' });
  });

  it('ends at the context', async () => {
    const [sequence] = await sampleAlone({ prompt: prompt(310, 2), maxTokens: 50, seed: 4 });
    expect(sequence).toMatchObject({ stopReason: 'length' });
    expect(sequence!.ids).toHaveLength(10);
  });

  it('takes the likeliest token at temperature 0, for every seed', async () => {
    const request = { prompt: prompt(20, 6), maxTokens: 30, temperature: 0 };
    const [first] = await sampleAlone({ ...request, seed: 1 });
    const [second] = await sampleAlone({ ...request, seed: 2 });
    expect(first).toEqual(second);
    expect([...first!.samplingLogprobs]).toEqual(new Array(30).fill(0));
    expect(first!.logprobs[0]).toBeLessThan(0);
  });

  it('reports both log-probabilities when the temperature is not 1', async () => {
    const request = { prompt: prompt(20, 6), count: 1, maxTokens: 30, seed: 3 };
    const [cool] = await sampleAlone({ ...request, temperature: 0.5 });
    const [warm] = await sampleAlone(request);
    const total = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0);
    expect(total(cool!.samplingLogprobs)).toBeGreaterThan(total(cool!.logprobs));
    warm!.logprobs.forEach((logprob, index) => {
      expect(warm!.samplingLogprobs[index]).toBeCloseTo(logprob, 5);
    });
  });

  it('rejects a request whose signal fires and serves the others unchanged', async () => {
    const request = { prompt: prompt(30, 1), count: 2, maxTokens: 40, seed: 1 };
    const expected = await sampleAlone(request);
    const sampler = newSampler();
    const controller = new AbortController();
    const aborted = sampler.submit({ ...request, count: 3, seed: 2 }, controller.signal).catch((reason: unknown) => reason);
    const kept = sampler.submit(request);
    for (let step = 0; step < 5; step++) await sampler.step();
    controller.abort(new Error('enough'));
    await finish(sampler);
    expect(await aborted).toEqual(new Error('enough'));
    expect(await kept).toEqual(expected);
  });

  it.each([
    ['an empty prompt', { prompt: new Int32Array(0), maxTokens: 1, seed: 1 }],
    ['a prompt that fills the context', { prompt: new Int32Array(320), maxTokens: 1, seed: 1 }],
    ['an unknown token', { prompt: Int32Array.of(300), maxTokens: 1, seed: 1 }],
    ['no new tokens', { prompt: Int32Array.of(1), maxTokens: 0, seed: 1 }],
  ])('refuses %s', async (_, request) => {
    await expect(newSampler().submit(request)).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('the choice of a token', () => {
  const probabilities = Float32Array.of(0.1, 0.4, 0.2, 0.3);
  const frequencies = (choice: { topK?: number; topP?: number }) => {
    const random = createRandom(1);
    const counts = [0, 0, 0, 0];
    for (let draw = 0; draw < 4000; draw++) counts[pickToken(probabilities, choice, random).id]! += 1 / 4000;
    return counts;
  };

  it.each([
    ['follows the probabilities', {}, [0.1, 0.4, 0.2, 0.3]],
    ['keeps the topK likeliest', { topK: 2 }, [0, 4 / 7, 0, 3 / 7]],
    ['keeps the smallest likeliest set that reaches topP', { topP: 0.8 }, [0, 4 / 9, 2 / 9, 3 / 9]],
  ])('%s', (_, choice, expected) => {
    frequencies(choice).forEach((frequency, id) => {
      expect(Math.abs(frequency - expected[id]!)).toBeLessThan(0.03);
    });
  });

  it('reports the log-probability of the cut distribution', () => {
    const { id, samplingLogprob } = pickToken(probabilities, { topK: 1 }, createRandom(1));
    expect(id).toBe(1);
    expect(samplingLogprob).toBe(0);
  });
});
