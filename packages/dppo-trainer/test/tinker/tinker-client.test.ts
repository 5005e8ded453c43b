import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTinkerClient, type TinkerClientOptions, tinkerFailureKind, tinkerProfiles } from '../../src/index.js';
import { type Scripted, scriptedTinker } from './scripted-tinker.js';

const key = 'tml-secret-5f1d0c9b7a3e';
const opened = {
  '/get_server_capabilities': [{ supported_models: [{ model_name: 'base', max_context_length: 32 }] }],
  '/create_session': [{ session_id: 's1' }],
  '/create_model': [{ request_id: 'm' }],
};
const made = { model_id: 's1:train:0' };
const data = [{ inputs: Int32Array.from([1, 2]), targets: Int32Array.from([2, 3]) }];
const output = (...rows: number[][]) => ({
  loss_fn_output_type: 'x',
  loss_fn_outputs: rows.map((row) => ({ logprobs: { data: row, dtype: 'float32' } })),
  metrics: {},
});
let server: Awaited<ReturnType<typeof scriptedTinker>>;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tadpole-tinker-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

async function connect(script: Readonly<Record<string, readonly Scripted[]>>, options: Partial<TinkerClientOptions> = {}) {
  server = await scriptedTinker({ ...opened, ...script });
  let names = 0;
  return createTinkerClient({
    ...{ baseUrl: server.baseUrl, server: 'tadpole', apiKey: key, tries: 3, backoffMs: 1, timeoutMs: 60_000, random: () => 0.5 },
    ...{ sleep: async () => {}, newName: () => `name-${names++}`, ...options },
  });
}
const pathsSeen = () => server.seen.map(({ path }) => path);

describe('a Tinker client', () => {
  it('computes a loss of its own as weights of cross entropy, numbers its requests and sends its key', async () => {
    const { client } = await connect({
      '/forward': [{ request_id: 'f' }],
      '/forward_backward': [{ request_id: 'b' }],
      '/optim_step': [{ request_id: 'o' }],
      '/retrieve_future': [made, output([-1, -2]), output([-1, -2]), { metrics: { 'grad_norm:mean': 3 } }],
    });
    expect(await client.forward({ data })).toEqual([{ logprobs: Float32Array.from([-1, -2]) }]);
    await client.forwardBackward({ data, gradients: [Float64Array.from([0.5, 0])] });
    expect(await client.optimStep({ learningRate: 1e-3 })).toEqual({ gradientNorm: 3 });
    const of = (path: string) => server.seen.find((one) => one.path === path)?.body;
    expect(of('/forward_backward')).toMatchObject({
      model_id: 's1:train:0',
      seq_id: 2,
      forward_backward_input: {
        loss_fn: 'cross_entropy',
        data: [
          {
            model_input: { chunks: [{ tokens: [1, 2] }] },
            loss_fn_inputs: { target_tokens: { data: [2, 3] }, weights: { data: [-0.5, 0] } },
          },
        ],
      },
    });
    expect(of('/optim_step')).toMatchObject({
      seq_id: 3,
      adam_params: { learning_rate: 1e-3, beta1: 0.9, beta2: 0.98, eps: 1e-8, weight_decay: 0.1, grad_clip_norm: 1 },
    });
    expect(new Set(server.seen.map(({ apiKey }) => apiKey))).toEqual(new Set([key]));
  });

  it('scales advantages at ratio 1 where a server takes means, once it knows how many sequences there are', async () => {
    const { client } = await connect(
      {
        '/forward_backward': [{ request_id: 'a' }, { request_id: 'b' }],
        '/optim_step': [{ request_id: 'o' }],
        '/retrieve_future': [made, output([-1, -2]), output([-1, -2]), { metrics: null }],
      },
      { server: 'skyrl-jax' },
    );
    const pass = () => client.forwardBackward({ data, gradients: [Float64Array.from([0.5, 0])], logprobs: [Float32Array.from([-1, -2])] });
    const [first] = await Promise.all([pass(), pass(), client.optimStep({ learningRate: 1e-3 })]);
    expect(first).toEqual([{ logprobs: Float32Array.from([-1, -2]) }]);
    const sent = server.seen.filter(({ path }) => path === '/forward_backward');
    for (const { body } of sent) {
      // -0.5 for each of two tokens in one of two sequences
      const inputs = { logprobs: { data: [-1, -2] }, advantages: { data: [-0.5 * 2 * 2, 0] } };
      expect(body).toMatchObject({ forward_backward_input: { loss_fn: 'importance_sampling', data: [{ loss_fn_inputs: inputs }] } });
    }
    expect(
      pathsSeen()
        .slice(-6)
        .filter((path) => path !== '/retrieve_future'),
    ).toEqual(['/forward_backward', '/forward_backward', '/optim_step']);
    await expect(client.optimStep({ learningRate: 1e-3, gradientClip: 1 })).rejects.toMatchObject({
      code: 'unsupported',
      message: /gradientClip/,
    });
    await expect(client.loadState(folder, { optimizer: false })).rejects.toMatchObject({ code: 'storage' });
  });

  it.each<[string, readonly Scripted[], number]>([
    ['429', [{ status: 429, body: { detail: 'slow' } }], 1],
    ['500', [{ status: 500 }], 1],
    ['a dropped connection', ['drop'], 1],
    ['half an answer', ['half'], 1],
    ['no answer in time', ['hang'], 1],
  ])('sends a request again after %s, under the same number and idempotency key', async (_, failures, times) => {
    const script = { '/forward': [...failures, { request_id: 'f' }], '/retrieve_future': [made, output([-1, -2])] };
    const { client } = await connect(script, failures[0] === 'hang' ? { timeoutMs: 2_000 } : {});
    await client.forward({ data });
    const sent = server.seen.filter(({ path }) => path === '/forward');
    expect(sent).toHaveLength(times + 1);
    expect(new Set(sent.map(({ body, idempotencyKey }) => `${body.seq_id} ${idempotencyKey}`)).size).toBe(1);
  });

  it('waits as long as a busy server asks for, but no longer than a minute', async () => {
    const busy = (seconds: string) => ({ status: 429, body: { detail: 'full' }, headers: { 'retry-after': seconds } });
    const waits: number[] = [];
    const { client } = await connect(
      { '/forward': [busy('2'), busy('86400'), busy('soon'), { request_id: 'f' }], '/retrieve_future': [made, output([-1, -2])] },
      { tries: 4, sleep: async ({ ms }) => void waits.push(ms) },
    );
    await client.forward({ data });
    expect(waits).toEqual([2_000, 60_000, 3]);
  });

  it.each<[string, Scripted, string]>([
    ['a failed operation of hosted servers', { error: 'out of memory', category: 'server' }, 'failed'],
    ['a failed operation of SkyRL', { status: 400, body: { detail: 'loss unsupported' } }, 'failed'],
    ['an unknown future', { status: 404, body: { detail: 'not found' } }, 'not-found'],
    ['a dropped result', { status: 410, body: { detail: 'expired' } }, 'expired'],
    ['billing', { status: 402, body: { detail: 'pay' } }, 'billing'],
    ['another form', { outputs: [] }, 'malformed'],
    ['too few log-probabilities', output([-1]), 'malformed'],
    ['a page of a proxy', 'text', 'malformed'],
  ])('says what happened where the answer is %s, without its key', async (_, answer, kind) => {
    const { client } = await connect({ '/forward': [{ request_id: 'f' }], '/retrieve_future': [made, answer] });
    const error = await client.forward({ data }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'engine', message: expect.stringMatching(/^Tinker server: /) });
    expect(tinkerFailureKind(error)).toBe(kind);
    expect(String((error as Error).stack)).not.toContain(key);
  });

  it.each<[string, Scripted, string]>([
    ['422 of FastAPI', { status: 422, body: { detail: [{ loc: ['body', 'loss_fn'], msg: 'unknown', type: 'x' }] } }, 'refused'],
    ['409', { status: 409, body: { detail: 'number was used' } }, 'refused'],
    ['401', { status: 401, body: { detail: 'key' } }, 'unauthorised'],
    ['three times 503', { status: 503 }, 'busy'],
  ])('is told at once of %s', async (_, answer, kind) => {
    const times = kind === 'busy' ? 3 : 1;
    const { client } = await connect({ '/forward': Array.from({ length: times }, () => answer), '/retrieve_future': [made] });
    const error = await client.forward({ data }).catch((caught: unknown) => caught);
    expect(tinkerFailureKind(error)).toBe(kind);
  });

  it('polls while the result is not there, passes on what is said of the queue, and gives up a stuck request', async () => {
    const states: string[] = [];
    let nowMs = 0;
    const again = (queue_state: string) => ({ type: 'try_again', queue_state });
    const timeout = { status: 408, body: { detail: 'Timeout waiting for result' } };
    const { client } = await connect(
      {
        '/forward': [{ request_id: 'f' }, { request_id: 'g' }],
        '/retrieve_future': [made, timeout, again('paused_capacity'), output([-1, -2]), again('active'), again('paused_rate_limit')],
      },
      {
        stuckMs: 1000,
        now: () => nowMs,
        onQueueState(state) {
          states.push(state);
          if (state === 'paused_rate_limit') nowMs += 1000;
        },
      },
    );
    await client.forward({ data });
    const error = await client.forward({ data }).catch((caught: unknown) => caught);
    expect(tinkerFailureKind(error)).toBe('stuck');
    expect(states).toEqual(['paused_capacity', 'active', 'paused_rate_limit']);
  });

  it('ends by its signal while it waits', async () => {
    const { client } = await connect({ '/forward': [{ request_id: 'f' }], '/retrieve_future': [made, 'hang'] }, { timeoutMs: 60_000 });
    await expect(client.forward({ data, signal: AbortSignal.timeout(100) })).rejects.toMatchObject({ code: 'aborted' });
  });

  it('keeps its session alive, and says when a heartbeat fails', async () => {
    const failures: unknown[] = [];
    const { close } = await connect(
      {
        '/retrieve_future': [made],
        '/session_heartbeat': [{ type: 'session_heartbeat' }, { status: 404, body: { detail: 'gone' } }],
        '/unload_model': [{ request_id: 'u' }],
      },
      {
        onHeartbeatFailure: (error) => failures.push(error),
        every: (beat) => {
          beats.push(beat);
          return () => beats.splice(0);
        },
      },
    );
    await beats[0]?.();
    expect(failures).toEqual([]);
    await beats[0]?.();
    expect(failures.map(tinkerFailureKind)).toEqual(['not-found']);
    await close();
    expect(beats).toEqual([]);
  });
  const beats: (() => Promise<void>)[] = [];

  it('keeps where a state is, and loads it into a new model', async () => {
    const { client } = await connect({
      '/create_model': [{ request_id: 'm' }, { request_id: 'n' }],
      '/save_weights': [{ request_id: 's' }],
      '/unload_model': [{ request_id: 'u' }],
      '/load_weights': [{ request_id: 'l' }],
      '/retrieve_future': [made, { path: 'tinker://s1:train:0/weights/name-0' }, { model_id: 's1:train:1' }, { type: 'load_weights' }],
    });
    await client.saveState(join(folder, 'state'));
    expect(readdirSync(join(folder, 'state'))).toEqual(['tinker.json']);
    expect(JSON.parse(readFileSync(join(folder, 'state', 'tinker.json'), 'utf8'))).toEqual({
      version: 1,
      path: 'tinker://s1:train:0/weights/name-0',
      baseModel: 'base',
    });
    await client.loadState(join(folder, 'state'), { optimizer: false });
    expect(server.seen.at(-2)?.body).toMatchObject({
      model_id: 's1:train:1',
      path: 'tinker://s1:train:0/weights/name-0',
      optimizer: false,
      seq_id: 1,
    });
    writeFileSync(join(folder, 'state', 'tinker.json'), '{"version":1,"path":"x","baseModel":"another"}');
    await expect(client.loadState(join(folder, 'state'))).rejects.toMatchObject({ code: 'invalid-input', message: /another/ });
    writeFileSync(join(folder, 'state', 'tinker.json'), '{"version":');
    await expect(client.loadState(join(folder, 'state'))).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it.each([
    ['tadpole', 2 ** 32 - 1, 2 ** 32 - 1],
    ['skyrl-jax', 2 ** 31 - 2 ** 16 - 1, 2 ** 31 - 2 ** 16 - 1],
    ['skyrl-jax', 2 ** 32 - 1, 2 ** 17 - 1],
  ] as const)('sends %s the seed %i as %i, which it can hold', async (kind, seed, sent) => {
    const { client } = await connect(
      {
        '/save_weights_for_sampler': [{ request_id: 'w' }],
        '/asample': [{ request_id: 'a' }],
        '/retrieve_future': [made, { path: 'tinker://m/name-0' }, { sequences: [{ tokens: [7], logprobs: [-1], stop_reason: 'stop' }] }],
      },
      { server: kind, contextTokens: 8 },
    );
    const sampler = await client.createSampler();
    await sampler.sample({ prompt: [1, 2], count: 1, sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 2, seed }, stopIds: [7] });
    expect(server.seen.find(({ path }) => path === '/asample')?.body).toMatchObject({ sampling_params: { seed: sent } });
  });

  it('samples once more where the result was dropped, and refuses samples that cannot be trained on', async () => {
    const sequence = { stop_reason: 'length', tokens: [4, 5], logprobs: [-1, -2] };
    const { client } = await connect({
      '/save_weights_for_sampler': [{ request_id: 'w' }],
      '/asample': Array.from({ length: 5 }, (_, index) => ({ request_id: `a${index}` })),
      '/retrieve_future': [
        ...[
          made,
          { path: 'tinker://s1:train:0/sampler_weights/name-0' },
          { status: 410, body: { detail: 'expired' } },
          { sequences: [sequence] },
        ],
        ...[{ sequences: [] }, { sequences: [{ ...sequence, logprobs: [-1] }] }, { sequences: [{ ...sequence, logprobs: [-1, 0.5] }] }],
      ],
    });
    const sampler = await client.createSampler();
    const draw = () =>
      sampler.sample({ prompt: [1, 2], count: 1, sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 2, seed: 9 }, stopIds: [7] });
    expect(await draw()).toEqual([{ ids: [4, 5], logprobs: [-1, -2], stopReason: 'length' }]);
    expect(server.seen.find(({ path }) => path === '/asample')?.body).toMatchObject({
      model_path: 'tinker://s1:train:0/sampler_weights/name-0',
      sampling_params: { max_tokens: 2, seed: 9, stop: [7], top_k: -1 },
    });
    for (const problem of [/1 sequences, got 0/, /for each of 2 tokens, got 1/, /at most 0, got 0.5/])
      await expect(draw()).rejects.toMatchObject({ code: 'engine', message: problem });
  });

  it('refuses an unknown base model, and a context that nobody tells', async () => {
    await expect(connect({ '/create_session': [], '/create_model': [] }, { baseModel: 'other' })).rejects.toMatchObject({
      code: 'invalid-config',
      message: /one of base, got other/,
    });
    await server.close();
    await expect(
      connect({ '/create_session': [], '/create_model': [], '/get_server_capabilities': [{ supported_models: [{ model_name: 'base' }] }] }),
    ).rejects.toMatchObject({ code: 'invalid-config', message: /contextTokens/ });
  });

  it('says that nobody listens', async () => {
    server = await scriptedTinker({});
    const error = await createTinkerClient({
      baseUrl: 'http://127.0.0.1:9',
      server: tinkerProfiles.hosted,
      apiKey: key,
      tries: 2,
      backoffMs: 1,
    }).catch((caught: unknown) => caught);
    expect(tinkerFailureKind(error)).toBe('unreachable');
  });
});
