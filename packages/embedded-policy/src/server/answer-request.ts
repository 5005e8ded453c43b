import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isTadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import type { Budget } from './budget.js';
import { futureRoutes } from './future-routes.js';
import { modelRoutes } from './model-routes.js';
import { MalformedBody } from './parse-body.js';
import { parseJson, readBody } from './read-request.js';
import { RefusedRequest } from './refused-request.js';
import { samplingRoutes } from './sampling-routes.js';
import type { Route, RouteAnswer, ServerState } from './server-state.js';
import { trainingRoutes } from './training-routes.js';
import { weightsRoutes } from './weights-routes.js';
import { readNumber } from './wire-codec.js';

const routes: readonly Route[] = [...modelRoutes, ...trainingRoutes, ...weightsRoutes, ...samplingRoutes, ...futureRoutes];
const rememberedKeys = 4_096;
const numberedSchema = z.object({ model_id: z.string(), seq_id: z.int().positive() });

/** Answers requests; one that is sent again under its idempotency key gets the answer of the first. */
export function createAnswerer(options: { state: ServerState; apiKey: string | undefined; mostBytes: number; reading: Budget }) {
  const { state, apiKey, mostBytes, reading } = options;
  const answers = new Map<string, Promise<RouteAnswer>>();

  return async (request: IncomingMessage, signal: AbortSignal): Promise<RouteAnswer> => {
    try {
      requireKey({ given: request.headers['x-api-key'], apiKey });
      const url = new URL(request.url ?? '/', 'http://server');
      const { route, parts } = findRoute({ method: request.method ?? '', path: url.pathname });
      const body = await readBody({ request, mostBytes, reading });
      const isProtobuf = request.headers['content-type']?.startsWith('application/x-protobuf') ?? false;
      const takesProtobuf = request.headers.accept?.includes('application/x-protobuf') ?? false;
      const json = parsedOnce(body);
      const call = async () => {
        try {
          return await route.answer({ body, json, isProtobuf, takesProtobuf, query: url.searchParams, parts, signal }, state);
        } catch (error) {
          passOver({ state, error, numbered: () => (isProtobuf ? readNumber(body) : json()) });
          throw error;
        }
      };
      const key = request.headers['x-idempotency-key'];
      const isRepeatable = typeof key === 'string' && route.method === 'POST' && url.pathname !== '/api/v1/retrieve_future';
      return await (isRepeatable ? once(`${key} ${url.pathname} ${createHash('sha256').update(body).digest('hex')}`, call) : call());
    } catch (error) {
      return refusalOf(error);
    }
  };

  function once(key: string, call: () => Promise<RouteAnswer>): Promise<RouteAnswer> {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = call();
    answers.set(key, answer);
    // What was refused may be tried again.
    answer.catch(() => answers.delete(key));
    const [oldest] = answers.keys();
    if (answers.size > rememberedKeys && oldest !== undefined) answers.delete(oldest);
    return answer;
  }
}

function parsedOnce(body: Buffer): () => unknown {
  let parsed: { readonly value: unknown } | undefined;
  return () => {
    parsed ??= { value: parseJson(body) };
    return parsed.value;
  };
}

/** Who sent what is refused for good goes on with the next number. */
function passOver({ state, error, numbered }: { state: ServerState; error: unknown; numbered: () => unknown }): void {
  const isForGood = statusOf(error) < 500 && statusOf(error) !== 429 && statusOf(error) !== 409;
  if (!isForGood) return;
  try {
    const { model_id: id, seq_id: seqId } = numberedSchema.parse(numbered());
    state.models
      .all()
      .find((model) => model.id === id)
      ?.passOver(seqId);
  } catch {
    // Whatever it was, it has no number.
  }
}

function findRoute({ method, path }: { method: string; path: string }): { route: Route; parts: readonly string[] } {
  const below = path.startsWith('/api/v1') ? path.slice('/api/v1'.length) : '';
  const matching = routes.filter((route) => route.path.test(below));
  const route = matching.find((one) => one.method === method);
  if (route !== undefined) return { route, parts: route.path.exec(below)?.slice(1) ?? [] };
  throw matching.length === 0
    ? new RefusedRequest(404, `Not found: ${path.slice(0, 200)}`)
    : new RefusedRequest(405, `Expected ${matching.map((one) => one.method).join(' or ')}, got ${method}.`);
}

function requireKey({ given, apiKey }: { given: string | string[] | undefined; apiKey: string | undefined }): void {
  if (apiKey === undefined) return;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (typeof given === 'string' && timingSafeEqual(digest(given), digest(apiKey))) return;
  throw new RefusedRequest(401, 'Expected the API key of this server in the header X-API-Key.');
}

function statusOf(error: unknown): number {
  if (error instanceof RefusedRequest) return error.status;
  if (error instanceof MalformedBody) return 422;
  return isTadpoleError(error) && error.code === 'invalid-input' ? 400 : 500;
}

function refusalOf(error: unknown): RouteAnswer {
  const status = statusOf(error);
  const retryAfter = error instanceof RefusedRequest ? error.retryAfterSeconds : undefined;
  return {
    status,
    json: { detail: error instanceof MalformedBody ? error.detail : error instanceof Error ? error.message : 'The request failed.' },
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
  };
}
