import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSglangSampler, createVllmSampler } from '../src/index.js';
import { createBigramClient, samplerConformance } from '../src/testing/index.js';
import { bigramSglang, bigramVllm } from './bigram-engines.js';
import { scriptedEngine } from './scripted-engine.js';

const source = await createBigramClient({ vocabularySize: 7, seed: 4 }).createSampler();
const common = { contextTokens: 64, vocabularySize: 7, maxRetries: 0 };

describe.each([
  ['a vLLM server with the generate route', true],
  ['a vLLM server without the generate route', false],
] as const)('%s', (_name, hasGenerate) => {
  let server: Awaited<ReturnType<typeof bigramVllm>>;
  beforeAll(async () => {
    server = await bigramVllm({ sampler: source, hasGenerate });
  });
  afterAll(() => server.close());
  const createSampler = async () =>
    createVllmSampler({ ...common, url: server.url, model: 'tiny', weightsVersion: 'w1', logprobsMode: 'raw' });

  const cases = samplerConformance({ createSampler, prompt: [1, 2, 3] });
  test.each(cases.map((each) => [each.name, each] as const))('%s', (_case, { run }) => run());

  test('is asked on the right route, and looked for once only', async () => {
    const before = server.received.length;
    const sampler = await createSampler();
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 2, seed: 1 };
    await sampler.sample({ prompt: [1], count: 1, sampling, stopIds: [] });
    await sampler.sample({ prompt: [1], count: 1, sampling, stopIds: [] });
    const routes = server.received.slice(before).map(({ url }) => url);
    expect(routes).toEqual(
      hasGenerate ? ['/inference/v1/generate', '/inference/v1/generate'] : ['/inference/v1/generate', '/v1/completions', '/v1/completions'],
    );
  });
});

describe('an SGLang server', () => {
  let server: Awaited<ReturnType<typeof bigramSglang>>;
  beforeAll(async () => {
    server = await bigramSglang({ sampler: source, version: 'w1' });
  });
  afterAll(() => server.close());
  const createSampler = async () => createSglangSampler({ ...common, url: server.url, weightsVersion: 'w1', logprobsMode: 'raw' });

  const cases = samplerConformance({ createSampler, prompt: [1, 2, 3] });
  test.each(cases.map((each) => [each.name, each] as const))('%s', (_case, { run }) => run());

  test('that changed weights within a sequence is an error, and names both', async () => {
    const meta = { weight_version: 'w1', finish_reason: { type: 'stop' }, output_token_logprobs: [[-1, 9]] };
    const spans = [
      { start: 0, end: 1, version: 'w0' },
      { start: 1, end: 2, version: 'w1' },
    ];
    const mixed = await scriptedEngine([{ body: { output_ids: [9], meta_info: { ...meta, weight_versions: spans } } }]);
    const sampler = createSglangSampler({ url: mixed.url, contextTokens: 64, maxRetries: 0, weightsVersion: 'w1' });
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 2, seed: 1 };
    await expect(sampler.sample({ prompt: [1], count: 1, sampling, stopIds: [9] })).rejects.toThrow(/received a sequence of w0 and w1/);
    await mixed.close();
  });

  test('that holds other weights than the sampler is an error, and names both', async () => {
    const sampler = createSglangSampler({ ...common, url: server.url, weightsVersion: 'w2' });
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 2, seed: 1 };
    await expect(sampler.sample({ prompt: [1], count: 1, sampling, stopIds: [] })).rejects.toMatchObject({
      code: 'engine',
      message: expect.stringMatching(/expected weights w2, received a sequence of w1/),
    });
  });
});
