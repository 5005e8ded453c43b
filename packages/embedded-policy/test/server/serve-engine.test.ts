import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.js';
import type { Fault } from '../../src/server/faults.js';
import { type EngineServer, serveEngine } from '../../src/server/serve-engine.js';
import { randomIds, shifted, TINY_MODEL } from '../engine/tiny-model.js';

let server: EngineServer;
let directory: string;
let fault: Fault | undefined;
let session_id: string;
let nowMs = Date.UTC(2026, 0, 1);
let models = 0;

/** Fields of the answers that the tests read. */
interface Answer {
  readonly request_id: string;
  readonly model_id: string;
  readonly session_id: string;
  readonly sampling_session_id: string;
  readonly path: string;
  readonly detail: unknown;
  readonly metrics: Readonly<Record<string, number>>;
  readonly sequences: readonly { readonly tokens: readonly number[] }[];
  readonly prompt_logprobs: readonly (number | null)[];
  readonly loss_fn_outputs: readonly { readonly logprobs: { readonly data: readonly number[] } }[];
  readonly checkpoints: readonly { readonly tinker_path: string }[];
}

async function send(path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${server.url}/api/v1/${path}`, {
    method: 'POST',
    body: text,
    headers: { 'x-api-key': 'tml-key', ...headers },
  });
  return { status: response.status, body: (await response.json()) as Answer };
}
async function result(path: string, body: object) {
  const submitted = await send(path, body);
  expect([path, submitted.status, submitted.body]).toEqual([path, 200, expect.anything()]);
  for (;;) {
    const answered = await send('retrieve_future', { request_id: submitted.body.request_id });
    if (answered.status !== 408) return answered.body;
  }
}
const newModel = async () =>
  (await result('create_model', { session_id, model_seq_id: models++, base_model: 'tadpole/embedded', lora_config: { rank: 8 } })).model_id;
const ids = randomIds(12, 3);
const { inputs, targets } = shifted(ids);
function pass(extra: Record<string, number[]>) {
  const arrays = Object.fromEntries(Object.entries(extra).map(([name, data]) => [name, { data, dtype: 'float32' }]));
  const datum = { model_input: { chunks: [{ type: 'encoded_text', tokens: [...inputs] }] } };
  return [{ ...datum, loss_fn_inputs: { target_tokens: { data: [...targets], dtype: 'int64' }, ...arrays } }];
}
const ones = new Array<number>(inputs.length).fill(1);
const crossEntropy = { data: pass({ weights: ones }), loss_fn: 'cross_entropy' };
const adam_params = { learning_rate: 1e-2 };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tadpole-serve-'));
  const engine = await createEngine({ config: TINY_MODEL, seed: 1, threads: 1 });
  await engine.saveState(join(directory, 'base.safetensors'));
  await engine.close();
  server = await serveEngine({
    ...{ weights: join(directory, 'base.safetensors'), checkpoints: join(directory, 'checkpoints'), apiKey: 'tml-key', threads: 1 },
    ...{ pollMs: 5000, mostModels: 3, mostBytes: 100_000, sessionTimeoutMs: 2_000, now: () => nowMs, faults: () => fault },
  });
  session_id = (await send('create_session', { tags: [] })).body.session_id;
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

describe('the engine over the Tinker protocol', () => {
  it('trains, saves, loads into a new model with equal log-probabilities, and samples what forward agrees with', async () => {
    const model_id = await newModel();
    const losses: number[] = [];
    for (let step = 0; step < 5; step++) {
      const { metrics } = await result('forward_backward', { model_id, seq_id: 2 * step + 1, forward_backward_input: crossEntropy });
      losses.push(metrics['loss:sum'] as number);
      expect((await result('optim_step', { model_id, seq_id: 2 * step + 2, adam_params })).metrics['grad_norm:mean']).toBeGreaterThan(0);
    }
    expect(losses[4]).toBeLessThan((losses[0] as number) * 0.9);
    const saved = await result('save_weights', { model_id, seq_id: 11, path: 'five' });
    expect(saved.path).toBe(`tinker://${model_id}/weights/five`);
    const copy = await newModel();
    const load = { model_id: copy, seq_id: 1, path: saved.path, optimizer: true };
    await result('load_weights', load);
    const [repeated, again] = [await send('load_weights', load), await send('load_weights', load)];
    expect([repeated.status, repeated.body.request_id]).toEqual([200, again.body.request_id]);
    const logprobs = async (model: string) =>
      (await result('forward', { model_id: model, forward_input: crossEntropy })).loss_fn_outputs[0]?.logprobs.data;
    expect(await logprobs(copy)).toEqual(await logprobs(model_id));
    expect(await send('load_weights', { model_id: copy, seq_id: 3, path: saved.path })).toMatchObject({ status: 400 });

    const { sampling_session_id } = await result('save_weights_for_sampler', { model_id, sampling_session_seq_id: 0 });
    const request = { sampling_session_id, seq_id: 0, prompt: { chunks: [{ tokens: [...inputs] }] }, prompt_logprobs: true };
    const sample = await result('asample', { ...request, num_samples: 2, sampling_params: { max_tokens: 1, seed: 4 } });
    expect(sample.sequences).toHaveLength(2);
    expect(sample.prompt_logprobs[0]).toBeNull();
    const expected = ((await logprobs(model_id)) ?? []).slice(0, -1);
    for (const [index, value] of sample.prompt_logprobs.slice(1).entries()) expect(value).toBeCloseTo(expected[index] as number, 4);
    for (const id of [model_id, copy]) await result('unload_model', { model_id: id });
    expect(await send('get_info', { model_id })).toMatchObject({ status: 404 });
  });

  it('keeps a saved sampler as it was, on the disk too, and lists and deletes checkpoints', async () => {
    const model_id = await newModel();
    const { path } = await result('save_weights_for_sampler', { model_id, path: 'first', seq_id: 1 });
    const draw = async (source: object) => {
      const prompt = { chunks: [{ tokens: [1, 2, 3] }] };
      return (await result('asample', { ...source, prompt, sampling_params: { max_tokens: 8, seed: 4 } })).sequences[0]?.tokens;
    };
    const before = await draw({ model_path: path });
    expect(before).toEqual(await draw({ base_model: 'tadpole/embedded' }));
    await result('forward_backward', { model_id, seq_id: 2, forward_backward_input: crossEntropy });
    await result('optim_step', { model_id, seq_id: 3, adam_params: { learning_rate: 0.5 } });
    expect(await draw({ model_path: path })).toEqual(before);
    expect(await result('save_weights_for_sampler', { model_id, path: 'first', seq_id: 4 })).toMatchObject({
      error: expect.stringMatching(/already exists/),
    });
    const list = async () =>
      (await (
        await fetch(`${server.url}/api/v1/training_runs/${model_id}/checkpoints`, { headers: { 'x-api-key': 'tml-key' } })
      ).json()) as Answer;
    expect((await list()).checkpoints).toMatchObject([{ tinker_path: path, checkpoint_type: 'sampler' }]);
    const url = `${server.url}/api/v1/training_runs/${model_id}/checkpoints/sampler_weights/first`;
    expect((await fetch(url, { method: 'DELETE', headers: { 'x-api-key': 'tml-key' } })).status).toBe(204);
    expect((await list()).checkpoints).toEqual([]);
    expect(readdirSync(join(directory, 'checkpoints')).filter((name) => name.startsWith('.draft'))).toEqual([]);
    await result('unload_model', { model_id });
  });

  it('answers a request that is sent again as the first one, and refuses its number with another body', async () => {
    const model_id = await newModel();
    const request = { model_id, seq_id: 1, forward_backward_input: crossEntropy };
    const [first, again] = [await send('forward_backward', request), await send('forward_backward', request)];
    expect(again.body.request_id).toBe(first.body.request_id);
    expect(
      await send('forward_backward', {
        ...request,
        forward_backward_input: { ...crossEntropy, data: pass({ weights: ones.map((one) => 2 * one) }) },
      }),
    ).toMatchObject({ status: 409 });
    const body = { session_id, model_seq_id: models++, base_model: 'tadpole/embedded' };
    const [made, repeated] = [await send('create_model', body), await send('create_model', body)];
    expect(repeated).toEqual(made);
    expect(await send('create_model', { ...body, lora_config: { rank: 4 } })).toMatchObject({ status: 409 });
    const once = { 'x-idempotency-key': 'key-1' };
    const [opened, reopened] = [await send('create_session', {}, once), await send('create_session', {}, once)];
    expect(reopened).toEqual(opened);
    for (const id of [model_id, made.body.model_id]) await result('unload_model', { model_id: id });
  });

  it('refuses what is wrong with 4xx, names what was expected, and goes on', async () => {
    const model_id = await newModel();
    const train = (input: object, seq_id?: number) => send('forward_backward', { model_id, seq_id, forward_backward_input: input });
    const sample = (more: object) =>
      send('asample', {
        base_model: 'tadpole/embedded',
        prompt: { chunks: [{ tokens: [1] }] },
        sampling_params: { max_tokens: 1 },
        ...more,
      });
    const refused = [
      [422, await train({ ...crossEntropy, loss_fn: 'dpo' }, 1)],
      [422, await train({ ...crossEntropy, loss_fn_config: { beta: 1 } })],
      [400, await train({ data: pass({ weights: [1] }), loss_fn: 'cross_entropy' })],
      [400, await train({ data: pass({}), loss_fn: 'ppo' })],
      [400, await train({ data: pass({ weights: ones, mask: ones }), loss_fn: 'cross_entropy' })],
      [400, await train({ data: [], loss_fn: 'cross_entropy' })],
      [422, await send('forward_backward', '{"half":')],
      [422, await send('forward_backward', '[]')],
      [422, await send('forward_backward', '\u0001nonsense', { 'content-type': 'application/x-protobuf' })],
      [415, await send('telemetry', {}, { 'content-encoding': 'zstd' })],
      [400, await sample({ sampling_params: {} })],
      [400, await sample({ sampling_params: { max_tokens: 0 } })],
      [400, await sample({ sampling_params: { max_tokens: 1, stop: ['text'] } })],
      [400, await sample({ sampling_params: { max_tokens: 1, stop: [1, 'text'] } })],
      [400, await sample({ topk_prompt_logprobs: 2 })],
      [400, await sample({ prompt_alt_tokens_k: 2 })],
      [400, await sample({ prompt: { chunks: [{ tokens: [99] }] } })],
      [400, await sample({ num_samples: 10_000 })],
      [400, await sample({ base_model: 'another' })],
      [404, await sample({ model_path: 'tinker://nobody/weights/none' })],
      [404, await send('retrieve_future', { request_id: 'none' })],
      [404, await send('session_heartbeat', { session_id: 'none' })],
      [404, await send('toString', {})],
      [405, await send('healthz', {})],
      [413, await send('telemetry', { events: 'x'.repeat(200_000) })],
      [401, await send('telemetry', {}, { 'x-api-key': 'tml-other' })],
      [400, await send('weights_info', { tinker_path: 'tinker://../weights/passwd' })],
      [422, await send('save_weights', { model_id, path: '../out' })],
    ] as const;
    for (const [index, [status, answered]] of refused.entries())
      expect([index, answered.status, answered.body.detail]).toEqual([index, status, expect.anything()]);
    expect((await result('forward_backward', { model_id, seq_id: 2, forward_backward_input: crossEntropy })).metrics).toHaveProperty(
      'loss:sum',
    );
    await result('unload_model', { model_id });
    expect(existsSync(join(directory, 'out'))).toBe(false);
  });

  it('answers with the faults that a test asks for, and truly when it asks for none', async () => {
    for (const status of [408, 429, 500]) {
      fault = { status };
      expect((await send('telemetry', {})).status).toBe(status);
    }
    for (const kind of ['drop', 'half'] as const) {
      fault = kind;
      await expect(send('telemetry', {})).rejects.toThrow();
    }
    fault = 'stuck';
    await expect(fetch(`${server.url}/api/v1/healthz`, { signal: AbortSignal.timeout(300) })).rejects.toThrow();
    fault = { delayMs: 1 };
    expect(await send('telemetry', {})).toMatchObject({ status: 200 });
    fault = undefined;
    expect(await send('telemetry', {})).toMatchObject({ status: 200 });
  });

  it('closes a session that its client finishes, and unloads its models', async () => {
    const own = (await send('create_session', {})).body.session_id;
    const { model_id } = await result('create_model', { session_id: own, base_model: 'tadpole/embedded' });
    const finish = () => send(`sessions/${own}/finish`, { reason: { type: 'success' }, detail: null });
    expect(await finish()).toMatchObject({ status: 200 });
    for (const gone of [await finish(), await send('get_info', { model_id }), await send('session_heartbeat', { session_id: own })])
      expect(gone).toMatchObject({ status: 404 });
  });

  it('holds so many models and no more, and unloads those of a session that gave no sign of life', async () => {
    const [kept] = [await newModel(), await newModel(), await newModel()];
    expect(await send('create_model', { session_id, model_seq_id: models++, base_model: 'tadpole/embedded' })).toMatchObject({
      status: 429,
    });
    nowMs += 3_000;
    await expect.poll(async () => (await send('get_info', { model_id: kept })).status, { timeout: 10_000 }).toBe(404);
    expect(await send('session_heartbeat', { session_id })).toMatchObject({ status: 404 });
  });
});
