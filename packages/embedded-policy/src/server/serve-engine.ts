import { randomBytes, randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TadpoleError } from '@tadpole/contracts';
import { createEngine } from '../engine/create-engine.js';
import { createAnswerer } from './answer-request.js';
import { createBudget } from './budget.js';
import { createCheckpointStore } from './checkpoint-store.js';
import type { Fault, FaultPlan } from './faults.js';
import { createFutures } from './futures.js';
import { createRememberedAnswers } from './remembered-answers.js';
import { createServedModels } from './served-models.js';
import { createServedSamplers } from './served-samplers.js';
import type { RouteAnswer, ServerState } from './server-state.js';
import { createSessions } from './sessions.js';

/** See {@link serveEngine}. */
export interface ServeOptions {
  /** Checkpoint file whose weights every model begins with. */
  readonly weights: string;
  /** What clients call the base model. @default 'tadpole/embedded' */
  readonly baseModel?: string;
  /** Folder of checkpoints; made when something is saved. */
  readonly checkpoints: string;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Asked of every request, in the header `X-API-Key`. @default none */
  readonly apiKey?: string;
  /** Threads of a training step of each model. @default 2, or 1 where there is one processor */
  readonly threads?: number;
  /** Models at a time, each a copy of the weights with an optimizer. @default 4 */
  readonly mostModels?: number;
  /** Frozen samplers at a time. @default 16 */
  readonly mostSamplers?: number;
  /** A session without a request or heartbeat for so long is closed and its models unloaded. @default 300000 */
  readonly sessionTimeoutMs?: number;
  /** How long `retrieve_future` waits for a result. @default 20000 */
  readonly pollMs?: number;
  /** Bytes of a request's body. @default 67108864 */
  readonly mostBytes?: number;
  /** Bodies that are read at a time, in bytes; more are answered with 429. @default four times `mostBytes` */
  readonly mostReadBytes?: number;
  /** Requests that are not done, and the bytes of their bodies; more are answered with 429. @default { count: 4096, bytes: 268435456 } */
  readonly mostQueued?: { readonly count: number; readonly bytes: number };
  /** Results kept for `retrieve_future`; older ones are answered with 410. @default { count: 10000, bytes: 268435456 } */
  readonly mostResults?: { readonly count: number; readonly bytes: number };
  /** How long a model's request waits for those of lower numbers before it fails. @default 30000 */
  readonly gapMs?: number;
  /** Milliseconds since the epoch. @default the machine's clock */
  readonly now?: () => number;
  /** Ids of sessions, each given once. @default random */
  readonly newSessionId?: () => string;
  /** Faults for tests of clients. @default none */
  readonly faults?: FaultPlan;
}

/** Bodies that are read at a time, whatever their size. */
const mostBodies = 4_096;

/** A running server. */
export interface EngineServer {
  /** For instance `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Ends requests at work and all engines; idempotent. */
  close(): Promise<void>;
}

/**
 * Serves the embedded engine over the Tinker protocol (tinker-protocol.md section 1), for clients that know nothing of this package:
 * the same engine as in this process, over HTTP. Models are trained whole, so a LoRA rank is taken and not used. Requests of a
 * model are carried out in the order of their numbers (`seq_id`, from 1); losses are summed over tokens and data.
 *
 * It speaks no TLS and holds no users apart: keep it on the loopback interface.
 *
 * @throws TadpoleError `invalid-input` or `storage` for the weights, `missing-dependency` without ONNX Runtime, `storage` when the address is taken.
 */
export async function serveEngine(options: ServeOptions): Promise<EngineServer> {
  const { host = '127.0.0.1', port = 0, apiKey, faults, mostBytes = 2 ** 26, sessionTimeoutMs = 300_000, now = Date.now } = options;
  const { state, close } = await openState({ ...options, sessionTimeoutMs, now });
  const { mostReadBytes = 4 * mostBytes } = options;
  const reading = createBudget({ what: 'bodies', most: { count: mostBodies, bytes: mostReadBytes } });
  const answer = createAnswerer({ state, apiKey, mostBytes, reading });
  let requests = 0;
  const server = createServer((request, response) => {
    const fault = faults?.({ number: requests, path: (request.url ?? '').replace(/^\/api\/v1/, '').split('?')[0] ?? '' });
    requests += 1;
    void respond({ request, response, answer, fault }).catch(() => response.destroy());
  });
  const expiry = setInterval(() => void unloadExpired(state), Math.min(60_000, sessionTimeoutMs / 2)).unref();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (cause) {
    await close();
    const message = `serveEngine: cannot listen on ${host}:${port}: ${(cause as Error).message}; choose another port.`;
    throw new TadpoleError({ code: 'storage', message, cause });
  }
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    close() {
      closing ??= (async () => {
        clearInterval(expiry);
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await close();
      })();
      return closing;
    },
  };
}

async function openState(options: ServeOptions & { sessionTimeoutMs: number; now: () => number }) {
  const { weights, baseModel = 'tadpole/embedded', checkpoints, threads, mostModels = 4, mostSamplers = 16 } = options;
  const { mostQueued = { count: 4_096, bytes: 2 ** 28 }, mostResults = { count: 10_000, bytes: 2 ** 28 }, gapMs = 30_000 } = options;
  const { sessionTimeoutMs, now, pollMs = 20_000, newSessionId = () => `session_${randomBytes(8).toString('hex')}` } = options;
  const store = createCheckpointStore({ directory: checkpoints });
  await store.tidy();
  const engine = await createEngine({ weights, threads: 1 });
  const base = { sampler: await engine.createSampler(), scorer: async () => engine, dispose: () => engine.close() };
  const { config } = engine;
  const samplers = createServedSamplers({ base, most: mostSamplers });
  const models = createServedModels({
    ...{ config, weights: await engine.readWeights(), most: mostModels, gapMs, onUnload: samplers.dropOf },
    ...(threads === undefined ? {} : { threads }),
  });
  const state: ServerState = {
    ...{ baseModel, config, models, samplers, now },
    sessions: createSessions({ timeoutMs: sessionTimeoutMs, now, newId: newSessionId }),
    checkpoints: store,
    futures: createFutures({ kept: mostResults.count, keptBytes: mostResults.bytes }),
    queue: createBudget({ what: 'requests', most: mostQueued }),
    made: createRememberedAnswers({ most: 4_096, nameOf: (id) => `Model ${id}` }),
    limits: { data: 1_024, tokens: 2 ** 20, samples: 256, pollMs },
    drawSeed: () => randomInt(2 ** 31),
  };
  return { state, close: async () => void (await Promise.all([models.close(), samplers.close()])) };
}

async function unloadExpired({ sessions, models }: ServerState): Promise<void> {
  const expired = new Set(sessions.expire());
  for (const { id, sessionId } of models.all()) if (expired.has(sessionId)) await models.unload(id).catch(() => undefined);
}

async function respond(options: {
  request: IncomingMessage;
  response: ServerResponse;
  answer: (request: IncomingMessage, signal: AbortSignal) => Promise<RouteAnswer>;
  fault: Fault | undefined;
}): Promise<void> {
  const { request, response, answer, fault } = options;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (fault === 'stuck') return;
  if (fault === 'drop') return void response.destroy();
  if (typeof fault === 'object' && 'delayMs' in fault) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
  const answered: RouteAnswer =
    typeof fault === 'object' && 'status' in fault
      ? { status: fault.status, json: { detail: `A fault of status ${fault.status} that was asked for.` } }
      : await answer(request, gone.signal);
  const isProtobuf = 'protobuf' in answered;
  const body = isProtobuf ? answered.protobuf : answered.json === null ? '' : JSON.stringify(answered.json);
  const status = isProtobuf ? 200 : (answered.status ?? 200);
  const more = isProtobuf ? {} : (answered.headers ?? {});
  const headers = {
    ...more,
    'content-type': isProtobuf ? 'application/x-protobuf' : 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  response.writeHead(status, status === 204 ? {} : headers);
  if (fault !== 'half') return void response.end(body);
  response.write(Buffer.from(body).subarray(0, Buffer.byteLength(body) / 2), () => response.destroy());
}
