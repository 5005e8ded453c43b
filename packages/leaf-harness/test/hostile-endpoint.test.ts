import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type ChatPolicyOptions, createAdaptiveLimiter, createChatPolicy } from '../src/index.js';
import { chatServer, completion, type Reply } from './chat-server.js';
import { virtualClock } from './virtual-clock.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const ask = {
  messages: [{ role: 'user' as const, content: 'U' }],
  tools: [],
  sampling: { temperature: 0.6, topP: 0.95, topK: 20, maxTokens: 100, seed: 5 },
};
const policyAt = (baseUrl: string, options: Partial<ChatPolicyOptions> = {}) =>
  createChatPolicy({ baseUrl, apiKey: 'secret-key-of-the-endpoint', model: 'm', maxRetries: 0, ...options });

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** A server that answers each connection's first bytes with these bytes, and then is silent or closes. */
async function rawServer(reply: string, options: { end: boolean }): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => (options.end ? socket.end(reply, 'latin1') : socket.write(reply, 'latin1')));
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

async function scripted(replies: readonly Reply[]): Promise<string> {
  const server = await chatServer(replies);
  closers.push(server.close);
  return server.baseUrl;
}

describe('a chat policy at an endpoint that breaks the protocol', () => {
  it.each([
    ['status 999', 'HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n', '999'],
    ['status 600', 'HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n', '600'],
    ['status 099', 'HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n', 'Connection error'],
    ['a status line that Response refuses', 'HTTP/1.1 200 \x01\r\nContent-Length: 2\r\n\r\n{}', 'Connection error'],
    ['another protocol', 'HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'another protocol'],
    ['an early end', 'HTTP/1.1 100 Continue\r\n\r\n', 'Connection error'],
    ['no HTTP', 'hello\r\n\r\n', 'Connection error'],
  ])('throws a policy error for %s and gives its place back', async (_what, reply, text) => {
    const limiter = createAdaptiveLimiter({ initialLimit: 1, maxLimit: 1 });
    const asked = policyAt(await rawServer(reply, { end: true }), { limiter });
    for (let call = 0; call < 2; call += 1)
      await expect(asked.respond(ask)).rejects.toMatchObject({ code: 'policy', message: expect.stringContaining(text) });
    expect(limiter.inFlight).toBe(0);
  });

  it('throws a policy error for another protocol on a connection that stays open', async () => {
    const baseUrl = await rawServer('HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', { end: false });
    await expect(policyAt(baseUrl).respond(ask)).rejects.toMatchObject({ code: 'policy' });
  });

  const silences: [string, () => Promise<Partial<ChatPolicyOptions> & { baseUrl: string }>][] = [
    ['nothing after an informational status', async () => ({ baseUrl: await rawServer('HTTP/1.1 101 S\r\n\r\n', { end: false }) })],
    ['a response without an end', async () => ({ baseUrl: await rawServer('HTTP/1.1 200 OK\r\n\r\n{', { end: false }) })],
    ['a fetch that heeds no signal', async () => ({ baseUrl: 'http://127.0.0.1:1/v1', fetch: () => new Promise(() => {}) })],
  ];
  it.each(silences)('ends by its time and by the signal: %s', async (_what, endpoint) => {
    const { baseUrl, ...options } = await endpoint();
    const clock = virtualClock();
    const limiter = createAdaptiveLimiter({ initialLimit: 1, maxLimit: 1, clock });
    const asked = policyAt(baseUrl, { ...options, clock, limiter, timeoutMs: 77_000 });
    const late = expect(asked.respond(ask)).rejects.toMatchObject({ code: 'policy' });
    await clock.elapse(77_000);
    await late;
    const controller = new AbortController();
    const stopped = expect(asked.respond({ ...ask, signal: controller.signal })).rejects.toMatchObject({ code: expect.any(String) });
    await clock.asleep(77_000);
    controller.abort();
    await stopped;
    expect(limiter.inFlight).toBe(0);
  });

  it('throws a policy error for an error body that is nested deeper than the stack', async () => {
    const text = `{"error":{"message":"no","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    const baseUrl = await scripted([{ status: 400, text }, { text }]);
    for (let call = 0; call < 2; call += 1) await expect(policyAt(baseUrl).respond(ask)).rejects.toMatchObject({ code: 'policy' });
  });

  it.each([200, 500])('bounds a body with status %i', async (status) => {
    const baseUrl = await scripted([{ ...completion({ content: 'x'.repeat(5000) }), status }]);
    const answer = policyAt(baseUrl, { maxResponseBytes: 1000 }).respond(ask);
    await expect(answer).rejects.toMatchObject({ code: 'policy', message: expect.stringContaining('Raise maxResponseBytes') });
  });

  it('bounds a body by its decoded size', async () => {
    const body = gzipSync(JSON.stringify(completion({ content: 'x'.repeat(100_000) }).body));
    const server = createHttpServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
    });
    closers.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const options = { fetch: globalThis.fetch };
    const baseUrl = await listen(server);
    expect((await policyAt(baseUrl, options).respond(ask)).message.content).toHaveLength(100_000);
    const bounded = policyAt(baseUrl, { ...options, maxResponseBytes: 10_000 }).respond(ask);
    await expect(bounded).rejects.toMatchObject({ code: 'policy', message: expect.stringContaining('Raise maxResponseBytes') });
  });
});

describe('the key of a chat policy', () => {
  it('leaves no part of itself in an error, wherever the text is cut', async () => {
    const bodies = [285, 980, 1980].map((length) => ({ text: `${'x'.repeat(length)}secret-key-of-the-endpoint` }));
    const frames = bodies.map(({ text }) => ({ body: { error: { code: 400, detail: text } } }));
    const refusals = bodies.map(({ text }) => ({ status: 401, body: { error: { message: text } } }));
    const replies = [...bodies, ...frames, ...refusals];
    const asked = policyAt(await scripted(replies));
    for (const _ of replies) {
      const error = await asked.respond(ask).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ code: 'policy', message: expect.not.stringContaining('secret') });
    }
  });

  it('is taken out where JSON escapes it', async () => {
    const apiKey = 'secret"key\\of';
    const baseUrl = await scripted([{ body: { error: { code: 400, detail: `bad ${apiKey}` } } }]);
    const error = await policyAt(baseUrl, { apiKey })
      .respond(ask)
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'policy', message: expect.not.stringContaining('secret') });
  });
});

describe('a pause that an endpoint asks for', () => {
  const busy = (status: number, retryAfter = '100000'): Reply => ({ status, headers: { 'retry-after': retryAfter }, body: {} });

  it.each(['100000', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'keeps other calls waiting for patienceMs at most: %s',
    async (asked) => {
      const clock = virtualClock();
      const limiter = createAdaptiveLimiter({ clock });
      const baseUrl = await scripted([busy(429, asked), completion({ content: 'ok' })]);
      const refused = policyAt(baseUrl, { clock, limiter, patienceMs: 1000 }).respond(ask);
      await expect(refused).rejects.toMatchObject({ code: 'policy', message: expect.stringContaining('Raise patienceMs') });
      const other = policyAt(baseUrl, { clock, limiter }).respond(ask);
      await clock.elapse(1000);
      expect((await other).message.content).toBe('ok');
    },
  );

  it('stops nobody where the failure is final', async () => {
    const clock = virtualClock();
    const baseUrl = await scripted([busy(400), completion({ content: 'ok' })]);
    const asked = policyAt(baseUrl, { clock });
    await expect(asked.respond(ask)).rejects.toMatchObject({ code: 'policy' });
    expect((await asked.respond(ask)).message.content).toBe('ok');
  });

  it('counts against the patience of a call that waits for its place', async () => {
    const clock = virtualClock();
    const limiter = createAdaptiveLimiter({ clock });
    const baseUrl = await scripted([busy(429)]);
    await expect(policyAt(baseUrl, { clock, limiter }).respond(ask)).rejects.toMatchObject({ code: 'policy' });
    const waiting = policyAt(baseUrl, { clock, limiter, patienceMs: 400 }).respond(ask);
    const failed = expect(waiting).rejects.toMatchObject({ code: 'policy', message: expect.stringContaining('Raise patienceMs') });
    await clock.elapse(400);
    await failed;
  });

  it('makes a signal that comes meanwhile the endpoint’s failure, while a wait for other calls is none', async () => {
    const clock = virtualClock();
    const stopped = async (limiter: ReturnType<typeof createAdaptiveLimiter>, baseUrl: string) => {
      const controller = new AbortController();
      const answer = policyAt(baseUrl, { clock, limiter }).respond({ ...ask, signal: controller.signal });
      await clock.asleep(3_600_000);
      controller.abort();
      return answer.catch((error: Error) => error);
    };
    const paused = createAdaptiveLimiter({ clock });
    const baseUrl = await scripted([busy(429)]);
    await expect(policyAt(baseUrl, { clock, limiter: paused, patienceMs: 9000 }).respond(ask)).rejects.toThrow();
    expect(await stopped(paused, baseUrl)).toMatchObject({ code: 'policy', message: expect.stringContaining('pause') });
    const full = createAdaptiveLimiter({ initialLimit: 1, maxLimit: 1, clock });
    await full.acquire();
    expect(await stopped(full, baseUrl)).toMatchObject({ code: 'aborted' });
  });

  it('is slept in parts where it is longer than a timer', async () => {
    const clock = virtualClock();
    const limiter = createAdaptiveLimiter({ initialLimit: 1, clock });
    (await limiter.acquire()).release({ outcome: 'neither', pauseMs: 2 ** 31 });
    const next = limiter.acquire();
    await clock.elapse(2 ** 31 - 1);
    await clock.elapse(1);
    await next;
  });
});
