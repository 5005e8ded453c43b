import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.js';
import { type EngineServer, type ServeOptions, serveEngine } from '../../src/server/serve-engine.js';
import { TINY_MODEL } from '../engine/tiny-model.js';

interface Answer {
  readonly request_id: string;
  readonly model_id: string;
  readonly session_id: string;
  readonly error: string;
  readonly metrics: Readonly<Record<string, number>>;
}

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tadpole-bounds-'));
  const engine = await createEngine({ config: TINY_MODEL, seed: 1, threads: 1 });
  await engine.saveState(join(directory, 'base.safetensors'));
  await engine.close();
});
afterAll(() => rm(directory, { recursive: true }));

async function send({ url }: EngineServer, path: string, body: object) {
  const response = await fetch(`${url}/api/v1/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: (await response.json()) as Answer };
}

async function retrieve(server: EngineServer, request_id: string | undefined) {
  for (;;) {
    const answered = await send(server, 'retrieve_future', { request_id });
    if (answered.status !== 408) return answered;
  }
}

/** A server with one model of it. */
async function withServer(options: Partial<ServeOptions>, use: (server: EngineServer, model_id: string) => Promise<void>) {
  const server = await serveEngine({
    ...{ weights: join(directory, 'base.safetensors'), checkpoints: join(directory, 'checkpoints'), threads: 1, gapMs: 60_000, ...options },
  });
  try {
    const { session_id } = (await send(server, 'create_session', {})).body;
    const { request_id } = (await send(server, 'create_model', { session_id, base_model: 'tadpole/embedded' })).body;
    await use(server, (await retrieve(server, request_id)).body.model_id);
  } finally {
    await server.close();
  }
}
const step = (model_id: string, seq_id?: number) => ({ model_id, seq_id, adam_params: { learning_rate: 1e-2 } });
const tokens = [1, 2, 3, 4];
const datum = {
  model_input: { chunks: [{ tokens }] },
  loss_fn_inputs: { target_tokens: { data: tokens, dtype: 'int64' }, weights: { data: [1, 1, 1, 1], dtype: 'float32' } },
};
const pass = (model_id: string, seq_id?: number, loss_fn = 'cross_entropy') => ({
  ...{ model_id, seq_id, forward_backward_input: { data: [datum], loss_fn } },
});

describe('the requests of a model', () => {
  it('run in the order of their numbers when they arrive in another, with what was refused left out', () =>
    withServer({}, async (server, model_id) => {
      const arriving = [
        ['optim_step', step(model_id, 5)],
        ['forward_backward', pass(model_id, 4)],
        ['optim_step', step(model_id, 2)],
        ['forward_backward', pass(model_id, 1)],
      ] as const;
      const ids: string[] = [];
      for (const [path, body] of arriving) ids.push((await send(server, path, body)).body.request_id);
      expect(await send(server, 'forward_backward', pass(model_id, 3, 'dpo'))).toMatchObject({ status: 422 });
      const results: Answer[] = [];
      for (const request_id of ids) results.push((await retrieve(server, request_id)).body);
      const [second, later, first, earlier] = results.map(({ metrics }) => metrics);
      // A step that came before its pass would have no gradient.
      expect([first?.['grad_norm:mean'], second?.['grad_norm:mean']]).toEqual([expect.toSatisfy(isPositive), expect.toSatisfy(isPositive)]);
      expect(later?.['loss:sum']).toBeLessThan(earlier?.['loss:sum'] as number);
    }));

  it('fail when a number before them does not come, say which, and can be sent again after it', () =>
    withServer({ gapMs: 20 }, async (server, model_id) => {
      const { request_id } = (await send(server, 'optim_step', step(model_id, 2))).body;
      expect((await retrieve(server, request_id)).body).toEqual({
        error: expect.stringMatching(/number 2 of model .* waited for number 1/),
        category: 'user',
      });
      await send(server, 'forward_backward', pass(model_id, 1));
      const again = (await send(server, 'optim_step', step(model_id, 2))).body;
      expect((await retrieve(server, again.request_id)).body.metrics['grad_norm:mean']).toBeGreaterThan(0);
    }));

  it('are so many at most until they are done, but one that others wait for is let in', () =>
    withServer({ mostQueued: { count: 1, bytes: 1_000_000 } }, async (server, model_id) => {
      const waiting = (await send(server, 'optim_step', step(model_id, 2))).body;
      expect(await send(server, 'optim_step', step(model_id, 3))).toMatchObject({ status: 429, retryAfter: '1' });
      const sample = { base_model: 'tadpole/embedded', prompt: { chunks: [{ tokens: [1] }] }, sampling_params: { max_tokens: 1 } };
      expect(await send(server, 'asample', sample)).toMatchObject({ status: 429, retryAfter: '1' });
      expect(await send(server, 'forward_backward', pass(model_id, 1))).toMatchObject({ status: 200 });
      expect((await retrieve(server, waiting.request_id)).body.metrics['grad_norm:mean']).toBeGreaterThan(0);
      expect(await send(server, 'optim_step', step(model_id, 3))).toMatchObject({ status: 200 });
    }));

  it('have results that are so large at most together; older ones are gone', () =>
    withServer({ mostResults: { count: 100, bytes: 1_500 } }, async (server, model_id) => {
      const ids: string[] = [];
      for (const seq_id of [1, 2]) {
        ids.push((await send(server, 'forward_backward', pass(model_id, seq_id))).body.request_id);
        await retrieve(server, ids.at(-1));
      }
      expect(await Promise.all(ids.map(async (request_id) => (await retrieve(server, request_id)).status))).toEqual([410, 200]);
    }));
});

describe('bodies that arrive at the same time', () => {
  it('are so large at most together; a small one is always read, and room that is free again is used', () =>
    withServer({ mostReadBytes: 200_000 }, async (server) => {
      const large = { events: 'x'.repeat(120_000) };
      const slow = request(`${server.url}/api/v1/telemetry`, { method: 'POST', headers: { 'content-length': 150_000 } });
      slow.on('error', () => {});
      slow.write('{');
      await expect.poll(() => send(server, 'telemetry', large)).toMatchObject({ status: 429, retryAfter: '1' });
      expect(await send(server, 'telemetry', {})).toMatchObject({ status: 200 });
      slow.destroy();
      await expect.poll(() => send(server, 'telemetry', large)).toMatchObject({ status: 200 });
    }));
});

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

it('a checkpoint for sampling outlives the model that it was saved from', async () => {
  await withServer({}, async (server, model_id) => {
    const sample = async () => {
      const { request_id } = (
        await send(server, 'asample', {
          ...{ model_path: `tinker://${model_id}/sampler_weights/kept`, prompt: { chunks: [{ tokens: [1, 2] }] }, num_samples: 1 },
          sampling_params: { max_tokens: 3, seed: 4 },
        })
      ).body;
      return (await retrieve(server, request_id)).body;
    };
    const saved = await send(server, 'save_weights_for_sampler', { model_id, path: 'kept' });
    await retrieve(server, saved.body.request_id);
    const before = await sample();
    await retrieve(server, (await send(server, 'unload_model', { model_id })).body.request_id);
    expect(before).toMatchObject({ sequences: [{ stop_reason: 'length' }] });
    expect(await sample()).toEqual(before);
  });
});
