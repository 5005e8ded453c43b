import { afterEach, describe, expect, test } from 'vitest';
import {
  createSglangSampler,
  createVllmSampler,
  loadVllmAdapter,
  readSglangVersion,
  updateSglangWeights,
  updateVllmWeights,
} from '../src/index.js';
import { listen, type Reply, scriptedEngine } from './scripted-engine.js';

const call = { prompt: [1], count: 1, sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 1, seed: 5 }, stopIds: [9] };
const sampled: Reply = { body: { choices: [{ token_ids: [9], logprobs: { content: [{ logprob: -1 }] }, finish_reason: 'stop' }] } };
const sampledBySglang = (version: string): Reply => ({
  body: { output_ids: [9], meta_info: { weight_version: version, finish_reason: { type: 'stop' }, output_token_logprobs: [[-1, 9]] } },
});
const ok: Reply = { body: { message: 'ok' } };
const broken: Reply = { status: 500, text: 'out of memory' };

let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  const servers = open;
  open = [];
  for (const server of servers) await server.close();
});

async function start(replies: readonly Reply[]) {
  const server = await scriptedEngine(replies);
  open.push(server);
  return { server, common: { url: server.url, contextTokens: 16, maxRetries: 0, clock: { sleep: async () => {} } } };
}
async function vllm(replies: readonly Reply[], model = 'base') {
  const { server, common } = await start(replies);
  return { server, sampler: createVllmSampler({ ...common, model, weightsVersion: model, route: 'generate' }) };
}
async function sglang(replies: readonly Reply[]) {
  const { server, common } = await start(replies);
  return { server, sampler: createSglangSampler({ ...common, weightsVersion: 'w1' }) };
}

describe('an adapter of vLLM', () => {
  test('is loaded under a new name, which is the version and the model of the new sampler', async () => {
    const { server, sampler } = await vllm([{ text: 'Success' }, sampled, sampled]);
    const { sampler: next } = await loadVllmAdapter({ sampler, name: 'step-1', path: '/adapters/1' });
    expect(next).toMatchObject({ weightsVersion: 'step-1', contextTokens: 16, logprobsMode: 'processed' });
    await next.sample(call);
    await sampler.sample(call);
    expect(server.received.map(({ url }) => url)).toEqual(['/v1/load_lora_adapter', '/inference/v1/generate', '/inference/v1/generate']);
    expect(server.received[0]?.body).toEqual({ lora_name: 'step-1', lora_path: '/adapters/1' });
    expect(server.received.slice(1).map(({ body }) => body.model)).toEqual(['step-1', 'base']);
  });

  test('replaces the one before, whose sampler then refuses', async () => {
    const { server, sampler } = await vllm([{ text: 'Success' }, { text: 'Success' }], 'step-1');
    const { sampler: next, leftBehind } = await loadVllmAdapter({ sampler, name: 'step-2', path: '/adapters/2', unload: true });
    expect([next.weightsVersion, leftBehind]).toEqual(['step-2', undefined]);
    expect(server.received[1]).toMatchObject({ url: '/v1/unload_lora_adapter', body: { lora_name: 'step-1' } });
    await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine', message: expect.stringContaining('replaced by step-2') });
  });

  test('that cannot be unloaded is named, and the new sampler works', async () => {
    const { sampler } = await vllm([{ text: 'Success' }, { status: 404, body: { error: { message: 'not found' } } }, sampled], 'step-1');
    const { sampler: next, leftBehind } = await loadVllmAdapter({ sampler, name: 'step-2', path: '/adapters/2', unload: true });
    expect(leftBehind).toBe('step-1');
    expect(await next.sample(call)).toHaveLength(1);
  });

  test('that cannot be loaded leaves the old sampler usable, and says so', async () => {
    const { sampler } = await vllm([{ status: 400, body: { error: { message: 'no adapter_config.json' } } }, sampled]);
    await expect(loadVllmAdapter({ sampler, name: 'step-1', path: '/nowhere', unload: true })).rejects.toMatchObject({
      code: 'engine',
      message: expect.stringMatching(/no adapter_config\.json.*sampler of base is still usable/),
    });
    expect(await sampler.sample(call)).toHaveLength(1);
  });

  test.each(['', 'base'])('named %j is refused before anything is sent', async (name) => {
    const { sampler } = await vllm([]);
    await expect(loadVllmAdapter({ sampler, name, path: '/adapters/1' })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('the weights of vLLM', () => {
  const update = { weightsVersion: 'w2', updateInfo: { names: ['a'] } };

  test('are exchanged between a pause and a resume, under a version that is read back', async () => {
    const { server, sampler } = await vllm([ok, ok, ok, ok, ok, { body: { weight_version: 'w2' } }, sampled]);
    let transfers = 0;
    const next = await updateVllmWeights({
      ...{ ...update, sampler },
      transfer: async () => {
        transfers += 1;
      },
    });
    expect([next.weightsVersion, transfers]).toEqual(['w2', 1]);
    expect(server.received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/pause?mode=wait', {}],
      ['POST', '/start_weight_update', {}],
      ['POST', '/update_weights', { update_info: { names: ['a'] } }],
      ['POST', '/finish_weight_update', { weight_version: 'w2' }],
      ['POST', '/resume', {}],
      ['GET', '/weight_info', {}],
    ]);
    await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine', message: expect.stringContaining('has weights w2 now') });
    expect(await next.sample(call)).toHaveLength(1);
  });

  test.each<[string, Reply[]]>([
    ['the pause', [broken, ok, sampled]],
    ['the start', [ok, broken, ok, sampled]],
  ])('are untouched when %s fails: the server is resumed and the old sampler works', async (_step, replies) => {
    const { server, sampler } = await vllm(replies);
    await expect(updateVllmWeights({ ...update, sampler })).rejects.toMatchObject({
      code: 'engine',
      message: expect.stringMatching(/out of memory.*sampler of base is still usable\.$/),
    });
    expect(server.received.at(-1)?.url).toBe('/resume');
    expect(await sampler.sample(call)).toHaveLength(1);
  });

  test.each<[string, Reply[], RegExp]>([
    ['the update', [ok, ok, broken, ok], /out of memory/],
    ['the finish', [ok, ok, ok, broken, ok], /out of memory/],
    [
      'the version afterwards',
      [ok, ok, ok, ok, ok, { body: { weight_version: 'w1' } }, ok],
      /expected weights w2 after the update, received w1/,
    ],
  ])('are unknown when %s fails: the old sampler refuses, and the message says so', async (_step, replies, message) => {
    const { sampler } = await vllm(replies);
    const error = await updateVllmWeights({ ...update, sampler }).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'engine', message: expect.stringMatching(message) });
    expect((error as Error).message).toMatch(/weights are unknown, so the old sampler refuses/);
    await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine', message: expect.stringContaining('failed half way') });
  });

  test('are taken as exchanged where the server has no route that tells their version', async () => {
    const { sampler } = await vllm([ok, ok, ok, ok, ok, { status: 404, body: { detail: 'Not Found' } }]);
    expect((await updateVllmWeights({ ...update, sampler })).weightsVersion).toBe('w2');
  });

  test('are unknown when the sender fails beside the server', async () => {
    const { sampler } = await vllm([ok, ok, ok, ok]);
    const transfer = async () => {
      throw new Error('the sender died');
    };
    await expect(updateVllmWeights({ ...update, sampler, transfer })).rejects.toMatchObject({
      code: 'engine',
      message: expect.stringMatching(/the sender died.*weights are unknown/),
    });
    await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine' });
  });

  test('that change while an answer is on its way make that answer an error', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const server = await listen(async ({ url }) => {
      if (url === '/inference/v1/generate') {
        await held;
        return sampled;
      }
      return url === '/weight_info' ? { body: { weight_version: 'w2' } } : ok;
    });
    open.push(server);
    const sampler = createVllmSampler({ url: server.url, contextTokens: 16, model: 'base', weightsVersion: 'base' });
    const sampling = sampler.sample(call).catch((thrown: unknown) => thrown);
    while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await updateVllmWeights({ ...update, sampler });
    release();
    expect(await sampling).toMatchObject({ code: 'engine', message: expect.stringContaining('has weights w2 now') });
  });

  test('that cannot be resumed are told of', async () => {
    const { sampler } = await vllm([broken, broken]);
    await expect(updateVllmWeights({ ...update, sampler })).rejects.toMatchObject({
      message: expect.stringContaining('the server is still paused'),
    });
  });

  test('under the old version are refused before anything is sent', async () => {
    const { sampler } = await vllm([]);
    await expect(updateVllmWeights({ ...update, sampler, weightsVersion: 'base' })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('are not exchanged through a sampler of another engine', async () => {
    const { sampler } = await sglang([]);
    await expect(updateVllmWeights({ ...update, sampler })).rejects.toMatchObject({ code: 'invalid-input' });
    const other = await vllm([]);
    await expect(updateSglangWeights({ sampler: other.sampler, weightsVersion: 'w2', path: '/w' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });
});

describe('the weights of SGLang', () => {
  test('are loaded from a folder under a version that every answer must bear', async () => {
    const done: Reply = { body: { success: true, message: 'Succeeded.', num_paused_requests: 0 } };
    const { server, sampler } = await sglang([done, sampledBySglang('w2')]);
    const next = await updateSglangWeights({ sampler, weightsVersion: 'w2', path: '/weights/2' });
    expect(server.received[0]).toMatchObject({
      url: '/update_weights_from_disk',
      body: { model_path: '/weights/2', weight_version: 'w2', flush_cache: true, abort_all_requests: false },
    });
    expect(await next.sample(call)).toHaveLength(1);
    await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine', message: expect.stringContaining('has weights w2 now') });
  });

  test.each<[string, Reply]>([
    ['status 400', { status: 400, body: { success: false, message: 'Rolling back to original weights.' } }],
    ['a success that is false', { body: { success: false, message: 'Rolling back to original weights.' } }],
  ])('leave the old sampler usable when the update fails with %s, and say so', async (_how, reply) => {
    const { sampler } = await sglang([reply, sampledBySglang('w1')]);
    await expect(updateSglangWeights({ sampler, weightsVersion: 'w2', path: '/nowhere' })).rejects.toMatchObject({
      code: 'engine',
      message: expect.stringMatching(/Rolling back.*sampler of w1 is still usable/),
    });
    expect(await sampler.sample(call)).toHaveLength(1);
  });

  test('have a version that can be asked for, on the new route or the old', async () => {
    const first = await start([{ body: { model_path: 'm', weight_version: 'default' } }]);
    expect(await readSglangVersion(first.common)).toBe('default');
    const second = await start([{ status: 404, body: { detail: 'Not Found' } }, { body: { weight_version: 7 } }]);
    expect(await readSglangVersion(second.common)).toBe('7');
    expect(second.server.received.map(({ url }) => url)).toEqual(['/model_info', '/get_model_info']);
    const third = await start([{ body: { model_path: 'm' } }]);
    await expect(readSglangVersion(third.common)).rejects.toMatchObject({ code: 'engine' });
  });
});
