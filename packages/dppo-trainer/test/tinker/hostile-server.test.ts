import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createTinkerClient, probeTinker, type TinkerClientOptions, tinkerFailureKind } from '../../src/index.js';

const apiKey = 'tml-secret-77aa1f0c';
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers by path; `undefined` is what a right server says. */
function answering(answer: (path: string, request: IncomingMessage) => unknown): Promise<string> {
  const right: Readonly<Record<string, unknown>> = {
    '/get_server_capabilities': { supported_models: [{ model_name: 'm', max_context_length: 64 }] },
    '/create_session': { session_id: 's' },
    '/retrieve_future': { model_id: 'm1' },
  };
  return listen((request, response) => {
    const path = (request.url ?? '').replace('/api/v1', '');
    const said = answer(path, request) ?? right[path] ?? { request_id: '1' };
    const isStatus = typeof said === 'object' && said !== null && 'status' in said;
    const { status, body } = isStatus ? (said as { status: number; body: unknown }) : { status: 200, body: said };
    response.writeHead(status, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const options = (baseUrl: string): TinkerClientOptions => ({ baseUrl, server: 'tadpole', apiKey, tries: 2, backoffMs: 1 });
const failure = (made: Promise<unknown>) => made.then(() => undefined).catch((error: unknown) => error as Error);
const textOf = (error: Error | undefined) => [error?.stack, (error?.cause as Error | undefined)?.stack].join('\n');

describe('a Tinker client before a hostile server', () => {
  it('follows no redirect, so that its key stays with the address it was given for', async () => {
    const seen: unknown[] = [];
    const elsewhere = await listen((request, response) => {
      seen.push(request.headers);
      response.end('{}');
    });
    const url = await listen((request, response) => response.writeHead(307, { location: elsewhere + request.url }).end());
    const error = await failure(createTinkerClient(options(url)));
    expect(tinkerFailureKind(error)).toBe('refused');
    expect(error?.message).toMatch(/307/);
    expect(seen).toEqual([]);
  });

  it.each<[string, (key: unknown) => unknown]>([
    ['a refusal', (key) => ({ status: 400, body: { detail: `bad key ${key}` } })],
    ['a failure', (key) => ({ status: 500, body: { detail: [{ msg: String(key), loc: ['a'] }] } })],
    ['a page', (key) => ({ status: 200, body: `<p>${key}</p>` })],
  ])('keeps its key out of errors where %s repeats it', async (_, said) => {
    const error = await failure(createTinkerClient(options(await answering((__, { headers }) => said(headers['x-api-key'])))));
    expect(error).toMatchObject({ code: 'engine' });
    expect(textOf(error)).not.toContain(apiKey);
  });

  it('keeps its key out of the error of a failed operation that repeats it', async () => {
    let models = 0;
    const url = await answering((path, { headers }) =>
      path === '/retrieve_future' && models++ > 0 ? { error: `key ${headers['x-api-key']}`, category: 'user' } : undefined,
    );
    const { client, close } = await createTinkerClient(options(url));
    const error = await failure(client.forward({ data: [{ inputs: Int32Array.of(1), targets: Int32Array.of(2) }] }));
    expect(tinkerFailureKind(error)).toBe('failed');
    expect(textOf(error)).not.toContain(apiKey);
    await close();
  });

  it.each<[string, Partial<TinkerClientOptions>]>([
    ['an address that is none', { baseUrl: 'not an address' }],
    ['an address with a password', { baseUrl: `http://user:${apiKey}@127.0.0.1:1` }],
    ['another kind of address', { baseUrl: 'file:///etc/hostname' }],
    ['a key with a line end', { apiKey: `${apiKey}\nx` }],
    ['no tries', { tries: 0 }],
    ['a time that is none', { timeoutMs: Number.NaN }],
    ['an unknown server', { server: 'nope' as 'tadpole' }],
  ])('refuses %s before anything is sent, without the key', async (_, wrong) => {
    const error = await failure(createTinkerClient({ ...options('http://127.0.0.1:1'), ...wrong }));
    expect(error).toMatchObject({ code: 'invalid-config' });
    expect(textOf(error)).not.toContain(apiKey);
  });

  it('says little of a long refusal', async () => {
    const detail = Array.from({ length: 20_000 }, () => ({ msg: 'x'.repeat(50), loc: ['a'] }));
    const error = await failure(createTinkerClient(options(await answering(() => ({ status: 422, body: { detail } })))));
    expect(error?.message.length).toBeLessThan(800);
  });

  it('ends its heartbeats where no model is made', async () => {
    const url = await answering((path) => (path === '/create_model' ? { status: 400, body: { detail: 'no' } } : undefined));
    let beating = false;
    const every = () => {
      beating = true;
      return () => {
        beating = false;
      };
    };
    expect(await failure(createTinkerClient({ ...options(url), every }))).toMatchObject({ code: 'engine' });
    expect(beating).toBe(false);
  });

  it.each<[string, object]>([
    ['ids that are none', { tokens: [-5, 1e15], logprobs: [-1, -1], stop_reason: 'length' }],
    ['no log-probability', { tokens: [7], logprobs: [-9999], stop_reason: 'stop' }],
    ['ids behind the stop id', { tokens: [7, 3], logprobs: [-1, -1], stop_reason: 'stop' }],
    ['an end without a stop id', { tokens: [1, 2], logprobs: [-1, -1], stop_reason: 'stop' }],
  ])('takes no sample with %s', async (_, sequence) => {
    let models = 0;
    const url = await answering((path) => (path === '/retrieve_future' && models++ > 0 ? { sequences: [sequence] } : undefined));
    const { base, close } = await createTinkerClient(options(url));
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 2, seed: 1 };
    const error = await failure(base.sample({ prompt: [1], count: 1, stopIds: [7], sampling }));
    expect(tinkerFailureKind(error)).toBe('malformed');
    await close();
  });
});

it('probing tells what went wrong first, though the model cannot be unloaded either', async () => {
  const url = await answering((path) => {
    if (path === '/forward_backward') return { status: 500, body: { detail: 'boom' } };
    return path === '/unload_model' ? { status: 403, body: { detail: 'no' } } : undefined;
  });
  const error = await failure(probeTinker(options(url)));
  expect(error?.message).toMatch(/boom/);
});
